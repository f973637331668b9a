// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.engine.BalanceEngine;
import io.hearth.balancer.hbase.MasterComponentRegistry;
import io.hearth.balancer.planner.DirectedPlanner;
import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.healer.fakes.LoggedLines;
import io.hearth.ui.hbase.AdminActionExecutor.AdminAction;
import io.hearth.ui.hbase.AdminActionExecutor.Caller;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.apache.log4j.Level;
import org.junit.jupiter.api.Test;

class AdminActionExecutorTest {

    private static String named(String parameters) {
        return AdminActionExecutor.named(JsonParser.parseString(parameters).getAsJsonObject());
    }

    @Test
    void theLogSaysWhatAnActionWasAbout() {
        assertThat(named("{\"table\":\"usertable\"}")).isEqualTo(" table usertable");
        assertThat(named("{\"region\":\"07af\"}")).isEqualTo(" region 07af");
        assertThat(named("{\"regions\":[\"07af\",\"07b0\"]}")).isEqualTo(" of 2 regions");
        assertThat(named("{}")).isEmpty();
    }

    @Test
    void nothingElseOfARequestGetsIntoTheLog() {
        assertThat(named("{\"padding\":\"" + "x".repeat(300) + "\",\"table\":\"usertable\"}"))
                .isEqualTo(" table usertable");
        assertThat(named("{\"table\":\"a\\nWARN forged\"}")).isEqualTo(" table a?WARN forged");
        assertThat(named("{\"region\":\"" + "x".repeat(300) + "\"}")).isEqualTo(" region " + "x".repeat(80) + "...");
    }

    @Test
    void theLineOfAnActionHasItsNameWhatItNamesAndWhoAskedAndNothingElse() {
        Configuration conf = new Configuration(false);
        HMaster master = mock(HMaster.class);
        when(master.getConfiguration()).thenReturn(conf);
        MasterComponentRegistry.registerEngine(
                conf,
                new BalanceEngine(
                        BalancerConfig.read("test", new MapSettings(Map.of()), key -> false),
                        new DirectedPlanner()::plan));
        JsonObject request = JsonParser.parseString("{\"padding\":\"" + "x".repeat(300) + "\",\"table\":\"usertable\"}")
                .getAsJsonObject();
        try (LoggedLines log = new LoggedLines(AdminActionExecutor.class, Level.INFO, "")) {
            new AdminActionExecutor(master).act(AdminAction.ADVISE, request, new Caller("bob\nWARN", "by bin/hearth"));

            assertThat(log.lines()).containsExactly("advise table usertable was asked for by bob?WARN by bin/hearth.");
        }
    }

    @Test
    void aUserIsOneLine() {
        assertThat(new Caller("bob\nWARN forged", "by bin/hearth").name()).isEqualTo("bob?WARN forged");
    }
}
