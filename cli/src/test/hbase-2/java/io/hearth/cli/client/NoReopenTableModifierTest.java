// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyBoolean;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HBaseIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mockito.ArgumentCaptor;

class NoReopenTableModifierTest {

    private static final TableName TABLE = TableName.valueOf("ns:t");

    private final Connection connection = mock(Connection.class);
    private final Admin admin = mock(Admin.class);

    private NoReopenTableModifier.Outcome set(String version, Map<String, Optional<String>> values) throws Exception {
        when(connection.getAdmin()).thenReturn(admin);
        when(admin.getDescriptor(TABLE))
                .thenReturn(TableDescriptorBuilder.newBuilder(TABLE)
                        .setValue("HEARTH_HEAL", "off")
                        .build());
        ClusterMetrics metrics = mock(ClusterMetrics.class);
        when(metrics.getHBaseVersion()).thenReturn(version);
        when(admin.getClusterMetrics(any())).thenReturn(metrics);
        when(admin.getRegions(TABLE)).thenReturn(List.of());
        return NoReopenTableModifier.set(connection, TABLE, new TreeMap<>(values));
    }

    @Test
    void valuesAreSetAndTakenAwayWithoutReopening() throws Exception {
        assertThat(set("2.6.4", Map.of("HEARTH_READ_WEIGHT", Optional.of("0"), "HEARTH_HEAL", Optional.empty()))
                        .done())
                .isTrue();

        ArgumentCaptor<TableDescriptor> altered = ArgumentCaptor.forClass(TableDescriptor.class);
        verify(admin).modifyTable(altered.capture(), eq(false));
        assertThat(altered.getValue().getValue("HEARTH_READ_WEIGHT")).isEqualTo("0");
        assertThat(altered.getValue().getValue("HEARTH_HEAL")).isNull();
    }

    @Test
    void anOlderMasterWouldReopenEveryRegionSoNothingIsAsked() throws Exception {
        NoReopenTableModifier.Outcome outcome = set("2.5.6", Map.of("HEARTH_READ_WEIGHT", Optional.of("0")));

        assertThat(outcome.done()).isFalse();
        assertThat(outcome.text())
                .isEqualTo(
                        "HBase 2.5.6 would close and open all 0 regions of ns:t, so nothing was changed. Put"
                                + " hearth.table.ns:t... into hbase-site.xml and run update_all_config, or alter the table in the shell.");
        verify(admin, never()).modifyTable(any(TableDescriptor.class), anyBoolean());
    }

    @Test
    void aMasterThatRefusesTablesWithCoprocessorsHasChangedNothing() throws Exception {
        doThrow(new HBaseIOException("Can not modify Coprocessor when table modification won't reopen regions"))
                .when(admin)
                .modifyTable(any(TableDescriptor.class), eq(false));

        NoReopenTableModifier.Outcome outcome = set("2.6.4", Map.of("HEARTH_READ_WEIGHT", Optional.of("0")));

        assertThat(outcome.done()).isFalse();
        assertThat(outcome.text())
                .isEqualTo(
                        "HBase 2.6.4 does not change ns:t without closing and opening all 0 regions (Can not modify"
                                + " Coprocessor when table modification won't reopen regions), so nothing was changed. Put"
                                + " hearth.table.ns:t... into hbase-site.xml and run update_all_config, or alter the table in the shell.");
    }

    @Test
    void anyOtherRefusalIsHBasesOwn() throws Exception {
        HBaseIOException other = new HBaseIOException("quota");
        doThrow(other).when(admin).modifyTable(any(TableDescriptor.class), eq(false));

        assertThatThrownBy(() -> set("2.6.4", Map.of("HEARTH_READ_WEIGHT", Optional.of("0"))))
                .isSameAs(other);
    }

    @Test
    void whatTheTableSaysAlreadyIsNotSetAgain() throws Exception {
        assertThat(set("2.6.4", Map.of("HEARTH_HEAL", Optional.of("off"))).text())
                .isEqualTo("The table ns:t says so already.");
        verify(admin, never()).modifyTable(any(TableDescriptor.class), anyBoolean());
    }

    @ParameterizedTest
    @CsvSource({
        "2.6.4-hadoop3, true",
        "2.6.0, true",
        "2.5.7, true",
        "2.5.6-hadoop3, false",
        "2.4.18, false",
        "2.7.0, true",
        "3.0.0, true",
        "3.0.0-beta-2, true",
        "3.0.0-beta-1, true",
        "3.0.0-alpha-4, false",
        "?, false"
    })
    void whichVersionsKeepRegionsOpen(String version, boolean does) {
        assertThat(NoReopenTableModifier.keepsRegionsOpen(version)).isEqualTo(does);
    }
}
