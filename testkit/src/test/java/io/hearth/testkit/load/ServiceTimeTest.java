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
import org.junit.jupiter.api.Test;

class ServiceTimeTest {

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
        Configuration conf = new Configuration(false);
        conf.setInt(ServiceTime.MILLIS, 20);
        ServiceTime serviceTime = new ServiceTime();
        CoprocessorEnvironment<?> environment = mock(CoprocessorEnvironment.class);
        when(environment.getConfiguration()).thenReturn(conf);
        serviceTime.start(environment);

        long start = System.nanoTime();
        serviceTime.getRegionObserver().orElseThrow().preGetOp(null, null, null);

        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(20));
    }

    @Test
    void whatTheServerDoesBetweenTwoRequestsIsPartOfTheTime() {
        assertThat(ServiceTime.beginning(5_000_000, Optional.empty())).isEqualTo(5_000_000);
        assertThat(ServiceTime.beginning(5_000_000, Optional.of(4_400_000L))).isEqualTo(4_400_000);
        assertThat(ServiceTime.beginning(5_000_000, Optional.of(4_000_000L)))
                .as("idle in between")
                .isEqualTo(5_000_000);
    }
}
