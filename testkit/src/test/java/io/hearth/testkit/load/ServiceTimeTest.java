// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.client.CoprocessorDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ServiceTimeTest {

    private static final long MILLI = 1_000_000;

    @BeforeEach
    void thisHandlerHadNoRequest() {
        ServiceTime.LAST_REQUEST.remove();
    }

    /** What a region has whose requests take so long. */
    private static ServiceTime ofRegion(int millis) {
        Configuration conf = new Configuration(false);
        conf.setInt(ServiceTime.MILLIS, millis);
        ServiceTime serviceTime = new ServiceTime();
        CoprocessorEnvironment<?> environment = mock(CoprocessorEnvironment.class);
        when(environment.getConfiguration()).thenReturn(conf);
        serviceTime.start(environment);
        return serviceTime;
    }

    @Test
    void hbaseReadsTheAttributeAsItIsMeant() {
        String attribute = ServiceTime.attribute("/somewhere/testkit.jar", 10);

        List<CoprocessorDescriptor> coprocessors = List.copyOf(TableDescriptorBuilder.newBuilder(LoadTable.NAME)
                .setValue("coprocessor$1", attribute)
                .build()
                .getCoprocessorDescriptors());

        assertThat(coprocessors).hasSize(1);
        CoprocessorDescriptor read = coprocessors.get(0);
        assertThat(read.getClassName()).isEqualTo(ServiceTime.class.getName());
        assertThat(read.getJarPath()).contains("file:/somewhere/testkit.jar");
        assertThat(read.getProperties()).isEqualTo(Map.of(ServiceTime.MILLIS, "10"));
    }

    @Test
    void aGetHoldsItsHandlerForThatLong() throws Exception {
        ServiceTime serviceTime = ofRegion(20);

        long start = System.nanoTime();
        serviceTime.getRegionObserver().orElseThrow().preGetOp(null, null, null);

        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(20));
    }

    private static long beginning(long nowNanos, long lastEndNanos, long lastDoneNanos) {
        return ServiceTime.beginning(
                nowNanos, Optional.of(new ServiceTime.LastRequest(lastEndNanos, lastDoneNanos)), 5 * MILLI);
    }

    @Test
    void whatTheServerDoesBetweenTwoRequestsIsPartOfTheTime() {
        assertThat(ServiceTime.beginning(5_000_000, Optional.empty(), 5 * MILLI))
                .isEqualTo(5_000_000);
        assertThat(beginning(5_000_000, 4_400_000, 4_400_000)).isEqualTo(4_400_000);
        assertThat(beginning(5_000_000, 4_000_000, 4_000_000))
                .as("idle in between")
                .isEqualTo(5_000_000);
    }

    @Test
    void aPutThatWaitsForTheWalTakesThatTimeAndNoLonger() {
        ServiceTime serviceTime = ofRegion(5);

        assertThat(serviceTime.end(0)).isEqualTo(5 * MILLI);
        ServiceTime.done(8 * MILLI);
        assertThat(serviceTime.end(8 * MILLI + 100_000))
                .as("the sync of 3 ms is part of the next request's time")
                .isEqualTo(10 * MILLI);
        ServiceTime.done(13 * MILLI);
        assertThat(serviceTime.end(14 * MILLI)).as("idle for 1 ms").isEqualTo(19 * MILLI);
    }

    @Test
    void aHandlerHasOneTimeForAllRegions() {
        ServiceTime one = ofRegion(5);
        ServiceTime other = ofRegion(5);

        assertThat(one.end(0)).isEqualTo(5 * MILLI);
        ServiceTime.done(7 * MILLI);

        assertThat(other.end(7 * MILLI)).isEqualTo(10 * MILLI);
    }

    @Test
    void whatARequestTookTooLongIsTakenOffOneOther() {
        assertThat(beginning(100 * MILLI, 5 * MILLI, 100 * MILLI)).isEqualTo(95 * MILLI);
    }

    @Test
    void theServerSaysWhenItHasReadOrWrittenARow() {
        ServiceTime serviceTime = ofRegion(5);

        serviceTime.end(0);
        serviceTime.postGetOp(null, null, null);
        assertThat(doneNanos()).isNotEqualTo(5 * MILLI);

        thisHandlerHadNoRequest();
        serviceTime.end(0);
        serviceTime.postPut(null, null, null, null);
        assertThat(doneNanos()).isNotEqualTo(5 * MILLI);
    }

    private static long doneNanos() {
        return ServiceTime.LAST_REQUEST.get().orElseThrow().doneNanos();
    }
}
