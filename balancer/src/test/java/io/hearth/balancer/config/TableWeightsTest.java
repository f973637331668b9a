// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.config.TableWeights.TableWeight;
import io.hearth.common.config.ConfigProblem;
import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.TableId;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TableWeightsTest {

    private static final TableId TABLE = new TableId("ns:t");

    private static TableWeights read(Map<String, String> site, Map<String, String> descriptor) {
        return TableWeights.read("hbase-site.xml", new MapSettings(site), Map.of(TABLE, new MapSettings(descriptor)));
    }

    @Test
    void theTableWinsOverTheSiteAndTheSiteOverOne() {
        TableWeights weights = read(
                Map.of("hearth.table.ns:t.write.weight", "2", "hearth.table.ns:t.read.weight", "5"),
                Map.of("HEARTH_WRITE_WEIGHT", "3"));

        assertThat(weights.of(TABLE)).isEqualTo(new TableWeight(Map.of("READ", 5.0, "WRITE", 3.0, "SIZE", 1.0)));
        assertThat(weights.of(new TableId("other"))).isEqualTo(TableWeight.ONE);
        assertThat(weights.problems()).isEmpty();
    }

    @Test
    void aWeightBelowZeroIsRefusedAndTheSiteDefaultHolds() {
        TableWeights weights = read(Map.of("hearth.table.ns:t.write.weight", "2"), Map.of("HEARTH_WRITE_WEIGHT", "-3"));

        assertThat(weights.of(TABLE)).isEqualTo(new TableWeight(Map.of("WRITE", 2.0)));
        assertThat(weights.problems())
                .extracting(ConfigProblem::message)
                .containsExactly("HEARTH_WRITE_WEIGHT = '-3' in table ns:t can't be used: it must be a number from 0 to"
                        + " 1000. 2.0 is used instead.");
    }

    @Test
    void theRequestsOfSystemTablesCountOnlyWhenSomebodySaysSo() {
        TableId meta = new TableId("hbase:meta");
        TableId quota = new TableId("hbase:quota");
        TableWeights weights = TableWeights.read(
                "hbase-site.xml",
                new MapSettings(Map.of("hearth.table.hbase:meta.read.weight", "1")),
                Map.of(meta, new MapSettings(Map.of()), quota, new MapSettings(Map.of())));

        LoadVector ones = LoadVector.of(dimension -> 1);
        LoadVector sizes = LoadVector.ZERO.withStoreBytes(1);
        assertThat(weights.of(meta).weigh(ones)).isEqualTo(sizes.withReads(1));
        assertThat(weights.of(quota).weigh(ones)).isEqualTo(sizes);
        assertThat(TableWeights.DEFAULTS.of(meta).weigh(ones)).isEqualTo(sizes);
    }

    @Test
    void aBadSiteWeightIsReportedWithItsKeyAndOneHolds() {
        TableWeights weights = read(Map.of("hearth.table.ns:t.size.weight", "big"), Map.of());

        assertThat(weights.of(TABLE)).isEqualTo(TableWeight.ONE);
        assertThat(weights.problems())
                .extracting(ConfigProblem::message)
                .containsExactly("hearth.table.ns:t.size.weight = 'big' in hbase-site.xml can't be used: it must be a"
                        + " number from 0 to 1000. 1.0 is used instead.");
    }

    @Test
    void weightZeroTakesADimensionOut() {
        assertThat(new TableWeight(Map.of("READ", 0.0, "WRITE", 2.0, "SIZE", 1.0))
                        .weigh(LoadVector.ofReads(10).withWrites(10).withStoreBytes(10)))
                .isEqualTo(LoadVector.ofWrites(20).withStoreBytes(10));
    }

    /** Those of its descriptor, in the order of the dimensions. */
    @Test
    void aTableHasOneKeyForEachWeight() {
        assertThat(TableWeights.tableKeys())
                .containsExactly("HEARTH_READ_WEIGHT", "HEARTH_WRITE_WEIGHT", "HEARTH_SIZE_WEIGHT");
    }

    @Test
    void siteKeysAreKnownByTheirForm() {
        assertThat(TableWeights.isSiteKey("hearth.table.a.b:c.d.read.weight")).isTrue();
        assertThat(TableWeights.isSiteKey("hearth.table.t.reads.weight")).isFalse();
        assertThat(TableWeights.isSiteKey("hearth.table.ns:t.max.moves.per.hour"))
                .isTrue();
        assertThat(TableWeights.isSiteKey("hearth.table.t.max.moves.per.day")).isFalse();
        assertThat(TableWeights.isSiteKey("hearth.table..read.weight")).isFalse();
    }
}
