// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.cli.CapacityJson.EarlierUse;
import io.hearth.cli.view.CapacityFixtures;
import io.hearth.doctor.capacity.CapacityForecast;
import io.hearth.doctor.capacity.CapacityForecast.WhatIf;
import io.hearth.doctor.capacity.ObservedCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CapacityJsonTest {

    private static final ObservedCluster CLUSTER = CapacityFixtures.cluster();

    @TempDir
    private Path folder;

    private static JsonObject json() {
        return CapacityJson.of(
                CLUSTER,
                CapacityForecast.of(CLUSTER, WhatIf.NOTHING, Optional.empty()),
                Optional.empty(),
                Optional.empty());
    }

    @Test
    void whatIsPrintedIsReadAgainAsAnEarlierLook() throws IOException {
        Path file = folder.resolve("monday.json");
        Files.writeString(file, json().toString());

        assertThat(CapacityJson.read(file))
                .isEqualTo(new EarlierUse(CapacityFixtures.NOW_MS, 5 * CapacityFixtures.TERABYTE));
    }

    @Test
    void whatIsUnknownIsMissing() {
        JsonObject server = json().getAsJsonArray("servers").get(1).getAsJsonObject();

        assertThat(server.get("server").getAsString()).isEqualTo("host2");
        assertThat(server.keySet()).doesNotContain("counters", "gcShare", "pausesAboveWarn");
        assertThat(json().keySet()).doesNotContain("growthBytesPerDay", "then");
    }

    @Test
    void aServersNumbersAreThere() {
        JsonObject server = json().getAsJsonArray("servers").get(0).getAsJsonObject();

        assertThat(server.get("regionsThatFill").getAsLong()).isEqualTo(38);
        assertThat(server.get("gcShare").getAsDouble()).isEqualTo(0.1);
        assertThat(server.getAsJsonObject("counters").get("meanFlushBytes").getAsLong())
                .isEqualTo(7 * CapacityFixtures.MEGABYTE);
        assertThat(server.getAsJsonArray("chain")).hasSize(6);
    }

    @Test
    void aTablesBlocksAreThere() {
        JsonObject table = json().getAsJsonArray("tables").get(0).getAsJsonObject();

        assertThat(table.get("indexBytesAt16KB").getAsLong()).isEqualTo(800 * CapacityFixtures.MEGABYTE);
        assertThat(table.get("advisedBlockBytes").getAsInt()).isEqualTo(16_384);
        assertThat(table.getAsJsonObject("blockBytesByFamily").get("t").getAsInt())
                .isEqualTo(65_536);
        assertThat(table.get("cacheHitShareOfItsServers").getAsDouble()).isEqualTo(0.9);
        assertThat(json().getAsJsonArray("tables").get(1).getAsJsonObject().keySet())
                .doesNotContain("cacheHitShareOfItsServers", "gets");
        assertThat(json().getAsJsonObject("caches").get("hitShare").getAsDouble())
                .isEqualTo(0.9);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "{}", "{\"atMs\": 1}", "{\"atMs\": 1, \"hdfs\": 2}", "{\"atMs\": \"x\"", "1"})
    void whatIsNoSuchDocumentIsRefused(String text) throws IOException {
        Path file = folder.resolve("other.json");
        Files.writeString(file, text);

        assertThatThrownBy(() -> CapacityJson.read(file))
                .isInstanceOf(IOException.class)
                .hasMessage("it is not what --output json prints of a cluster whose HDFS answers");
    }
}
