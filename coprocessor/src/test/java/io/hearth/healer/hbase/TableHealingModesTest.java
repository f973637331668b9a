// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.common.config.ConfigProblem;
import io.hearth.healer.model.ServedRegion.TableHealingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;

class TableHealingModesTest {

    private static final TableName CANARY = TableName.valueOf("hearth_canary");

    private final Configuration site = new Configuration(false);
    private final List<ConfigProblem> problems = new ArrayList<>();

    private TableHealingMode of(TableName table, Map<String, String> values) {
        TableDescriptorBuilder descriptor = TableDescriptorBuilder.newBuilder(table);
        values.forEach(descriptor::setValue);
        return new TableHealingModes(site, name -> Optional.of(descriptor.build()), problems::add).of(table);
    }

    @Test
    void canaryRegionsAreNotHealedWhateverTheTableSays() {
        Map<String, String> first = Map.of("HEARTH_CANARY", "true", "HEARTH_HEAL", "first");

        assertThat(of(CANARY, first)).isEqualTo(TableHealingMode.OFF);
        assertThat(of(TableName.valueOf("t"), first)).isEqualTo(TableHealingMode.FIRST);
        assertThat(of(CANARY, Map.of("HEARTH_HEAL", "first"))).isEqualTo(TableHealingMode.FIRST);
        assertThat(of(CANARY, Map.of())).isEqualTo(TableHealingMode.ON);
        site.set("hearth.slo.canary.table", "ns:watch");
        assertThat(of(CANARY, first)).isEqualTo(TableHealingMode.FIRST);
        assertThat(of(TableName.valueOf("ns:watch"), first)).isEqualTo(TableHealingMode.OFF);
        assertThat(problems).isEmpty();
    }
}
