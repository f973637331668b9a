// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.cli.plan.SavedPlan;
import io.hearth.cli.plan.SavedPlan.SavedMove;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlanFilesTest {

    @TempDir
    private Path folder;

    @Test
    void whatIsWrittenIsRead() throws Exception {
        SavedPlan plan = SavedPlan.of(
                "cluster", 7, Map.of("a,1,1", List.of("r")), List.of(new SavedMove("r", "t", "a,1,1", "b,1,1")));
        Path file = folder.resolve("plan.json");

        PlanFiles.write(file, PlanFiles.json(plan, new PlanClient.PlanResult(new JsonArray(), true, Optional.empty())));

        assertThat(PlanFiles.read(file)).isEqualTo(new PlanFiles.ParsedPlan(plan, plan.hash()));
        assertThat(Files.readString(file)).contains("\"format\": \"hearth-plan\"", "\"madeBy\": \"the master\"");
    }

    @Test
    void whatIsNoPlanIsSaid() throws Exception {
        assertNoPlan("{\"format\":\"hearth-plan\",\"version\":2}", "it is no plan of version 1");
        assertNoPlan(
                "{\"format\":\"hearth-plan\",\"version\":1}", "it is not what bin/hearth balancer plan --out writes");
        assertNoPlan("[]", "it is not what bin/hearth balancer plan --out writes");
        assertNoPlan("not JSON", "it is not what bin/hearth balancer plan --out writes");
        assertNoPlan("", "it is not what bin/hearth balancer plan --out writes");
    }

    private void assertNoPlan(String text, String why) throws Exception {
        Path file = Files.writeString(folder.resolve("other.json"), text);
        assertThatThrownBy(() -> PlanFiles.read(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(why);
    }
}
