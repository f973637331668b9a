package org.apache.hadoop.hbase.master.balancer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.hearth.balancer.hbase.Names;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableDescriptors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.master.MasterServices;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HearthRegionLocationFinderTest {

    private static final RegionInfo REGION =
            RegionInfoBuilder.newBuilder(TableName.valueOf("t")).build();

    private final AtomicInteger asked = new AtomicInteger();
    private final List<Throwable> failures = new ArrayList<>();
    private boolean fileSystemFails;
    private long nowMs;

    private final HearthRegionLocationFinder finder = new HearthRegionLocationFinder(() -> nowMs, failures::add);

    @BeforeEach
    void giveItAMaster() throws IOException {
        TableDescriptors descriptors = mock(TableDescriptors.class);
        when(descriptors.get(any())).thenAnswer(call -> {
            asked.incrementAndGet();
            if (fileSystemFails) {
                throw new IOException("the NameNode is away");
            }
            return null; // a table that is gone has no blocks anywhere
        });
        MasterServices services = mock(MasterServices.class);
        when(services.getTableDescriptors()).thenReturn(descriptors);
        when(services.getConfiguration()).thenReturn(HBaseConfiguration.create());
        LineSupport.attach(finder, services);
    }

    @AfterEach
    void close() {
        finder.close();
    }

    @Test
    void anAnswerIsKept() {
        finder.getBlockDistribution(REGION);
        finder.getBlockDistribution(REGION);

        assertThat(asked).hasValue(1);
        assertThat(failures).isEmpty();
    }

    @Test
    void aNameNodeThatIsAwayIsNotTakenForAnEmptyRegionAndIsLeftAloneForAMinute() {
        fileSystemFails = true;
        assertThat(finder.getBlockDistribution(REGION).getUniqueBlocksTotalWeight())
                .isZero();
        assertThat(failures).singleElement().isInstanceOf(IOException.class);

        nowMs = HearthRegionLocationFinder.RETRY_AFTER_MS - 1;
        finder.getBlockDistribution(REGION);
        assertThat(asked).as("asked again within the minute").hasValue(1);

        fileSystemFails = false;
        nowMs = HearthRegionLocationFinder.RETRY_AFTER_MS;
        finder.getBlockDistribution(REGION);
        assertThat(asked).hasValue(2);
    }

    @Test
    void aRegionWhoseBlocksMovedIsAskedForAgainInTheBackground() {
        finder.getBlockDistribution(REGION);
        finder.regionsChanged(List.of(Names.region(REGION)));

        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (asked.get() < 2 && System.nanoTime() < deadlineNanos) {
            Thread.onSpinWait();
        }
        assertThat(asked).hasValue(2);
    }

    @Test
    void whatItNeverHeardOfIsPassedOver() {
        finder.regionsChanged(List.of(Names.region(REGION)));

        assertThat(asked).hasValue(0);
    }
}
