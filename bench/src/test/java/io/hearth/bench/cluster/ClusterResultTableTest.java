// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.bench.cluster.LinearityResult.SizedHeal;
import io.hearth.bench.cluster.Scale.BenchmarkStage;
import io.hearth.bench.cluster.VariantResult.TopologyEvent;
import io.hearth.bench.cluster.VariantRun.Variant;
import java.awt.image.BufferedImage;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterResultTableTest {

    @TempDir
    private Path folder;

    @Test
    void itHasALineForEachEventAndVariant() {
        assertThat(ClusterResultTable.of(SampleResults.good()).lines().map(line -> line.strip()
                        .replaceAll(" {2,}", "|")))
                .contains(
                        "event|regions moved|in place s|MB remote|local then|90 % after s|100 % after s|read MB|written MB|sent MB",
                        "crash of a RegionServer|Hearth|12|25.5|100.0|66 %|4.0|4.0|200.0|100.0|300.0",
                        "crash of a RegionServer|stock balancer|12|25.5|100.0|66 %|not in 60.0|not in 60.0|200.0|100.0|300.0",
                        "an empty host is added|stock + major compaction|gets|2.0 / 10.0 / 20.0|100.0 / 500.0 / 1000.0|8.0 / 40.0 / 80.0|2.0 / 10.0 / 20.0",
                        "medians|rounds|MB remote|MB written|100 % after s|confirmed s|read locally s|x estimate|CPU ms/MB: DataNodes|RegionServers|HMaster",
                        "rounds back|Hearth|3|900.0|930.0|4.0|4.0|4.0|1.00|2.5|0.1|0.2",
                        "rounds back|Hearth|gets|2.0 / 10.0 / 20.0|2.2 / 11.0 / 22.0|2.4 / 12.0 / 24.0|1.20|1.00 (0.90 to 1.10)|1.20|1.00 (0.50 to 2.00)|2.0 / 10.0 / 20.0|1.00",
                        "rounds back|Hearth|multigets|4.0 / 20.0 / 40.0|4.4 / 22.0 / 44.0|4.8 / 24.0 / 48.0|1.20|1.00 (0.90 to 1.10)|1.20|1.00 (0.50 to 2.00)|4.0 / 20.0 / 40.0|1.00",
                        "a block's seconds, medians|listed|waiting to start|copying|confirming|held back by",
                        "rounds back|0.50|1.00|0.10|3.00|bandwidth of DataNodes",
                        "Hearth|2.50|1.10|20.0|9|2.0 / 10.0 / 20.0|2.2 / 11.0 / 22.0",
                        "stock balancer|2.50|2.40|not in 60.0|9|2.0 / 10.0 / 20.0|2.2 / 11.0 / 22.0",
                        "requests of the whole run|answered|failed",
                        "Hearth|50000|0");
    }

    @Test
    void whatWasLeftOutHasNoTableAndNoPlace() throws Exception {
        Map<Variant, VariantResult> results =
                Map.of(Variant.HEARTH, SampleResults.only(BenchmarkStage.RETURNED, SampleResults.rounds(4, 12)));
        Path file = folder.resolve("plot.png");

        ClusterPlot.write(results, file);

        assertThat(ClusterResultTable.of(results).lines().map(line -> line.strip()
                        .replaceAll(" {2,}.*", "")))
                .containsExactly(
                        "medians",
                        "rounds back",
                        "",
                        "p50 / p99 / p99.9 in ms",
                        "rounds back",
                        "rounds back",
                        "",
                        "a block's seconds, medians",
                        "rounds back",
                        "",
                        "requests of the whole run",
                        "Hearth");
        assertThat(ImageIO.read(file.toFile()).getWidth()).isEqualTo(520);
    }

    @Test
    void aRoundInShortIsOneLine() {
        assertThat(ClusterResultTable.inShort(SampleResults.round(4, 5)))
                .isEqualTo("300.0 MB remote, local after 4.0 s, confirmed after 4.0 s, the dry run said 5.0 s");
    }

    @Test
    void eachNumberOfDataNodesHasALine() {
        SizedHeal heal = new SizedHeal(6, 60_000_000, 5, 8, OptionalDouble.of(10));

        assertThat(ClusterResultTable.inShort(heal))
                .isEqualTo(
                        "6 DataNodes: 60.0 MB in 5.0 s, 2.00 MB/s each, confirmed after 8.0 s, the dry run said 10.0 s");
        assertThat(ClusterResultTable.of(new LinearityResult(List.of(heal)))
                        .lines()
                        .map(line -> line.strip().replaceAll(" {2,}", "|")))
                .containsExactly("DataNodes that take part|MB/s, median|for each", "6|12.0|2.00");
    }

    @Test
    void anEventInShortIsOneLine() {
        assertThat(ClusterResultTable.inShort(
                        SampleResults.good().get(Variant.HEARTH).events().get(TopologyEvent.RETURNED)))
                .isEqualTo("12 regions in place after 25.5 s, 66 % local; all of it 4.0 s after that;"
                        + " 100.0 MB were remote");
    }

    @Test
    void thePlotHasALineForEachVariant() throws Exception {
        Path file = folder.resolve("plot.png");

        ClusterPlot.write(SampleResults.good(), file);

        BufferedImage picture = ImageIO.read(file.toFile());
        IntStream pixels = IntStream.range(0, picture.getWidth() * picture.getHeight())
                .map(pixel -> picture.getRGB(pixel % picture.getWidth(), pixel / picture.getWidth()) & 0xffffff);
        assertThat(pixels.boxed().collect(Collectors.toSet())).contains(0x888888, 0xd97a1c, 0x1c6dd0);
    }
}
