// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.engine.BalanceEngine;
import io.hearth.balancer.hbase.MasterComponentRegistry;
import io.hearth.balancer.planner.DirectedPlanner;
import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import io.hearth.integration.RegisteredMetrics;
import io.hearth.ui.hbase.UiMetrics;
import java.util.Map;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an operator asks for by the page, past every gate, over a real balancer without a cluster. */
class PageActionsTest {

    private final BalanceEngine engine = new BalanceEngine(
            BalancerConfig.read("", new MapSettings(Map.of()), key -> true), new DirectedPlanner()::plan);
    private MockMasterWebUi mockMasterWebUi;

    @BeforeEach
    void start() throws Exception {
        mockMasterWebUi = MockMasterWebUi.startWithUsers();
        mockMasterWebUi.conf.setBoolean("hearth.ui.actions", true);
        mockMasterWebUi.conf.set("hbase.security.authentication.ui", "kerberos");
        mockMasterWebUi.conf.setBoolean("hadoop.security.authorization", true);
    }

    @AfterEach
    void stop() {
        mockMasterWebUi.close();
    }

    @Test
    void plansBecomeAdviceAndActAgain() throws Exception {
        MasterComponentRegistry.registerEngine(mockMasterWebUi.conf, engine);
        assertThat(mockMasterWebUi.act("ops", "advise", "{}"))
                .isEqualTo(
                        "200 {\"done\":\"Plans are advice from the next run on, and the stock balancer plans and acts alone; the"
                                + " next master knows nothing of it.\"}");
        assertThat(engine.tracker().adviseOnly()).contains("ops asked for advice only");
        assertThat(mockMasterWebUi.act("ops", "act", ""))
                .isEqualTo("200 {\"done\":\"Plans are carried out from the next run on.\"}");
        assertThat(engine.tracker().adviseOnly()).isEmpty();

        engine.configure(
                BalancerConfig.read("", new MapSettings(Map.of("hearth.balancer.mode", "advise")), key -> true), 0);
        assertThat(mockMasterWebUi.act("ops", "act", "{}"))
                .isEqualTo("200 {\"done\":\"Plans stay advice: hearth.balancer.mode is advise.\"}");
    }

    @Test
    void aPinOfAManualMoveIsRemoved() throws Exception {
        MasterComponentRegistry.registerEngine(mockMasterWebUi.conf, engine);
        engine.tracker()
                .regionMovedManually(
                        new EncodedRegionName("abc"),
                        new TableId("t"),
                        new ServerId("a", 1, 1),
                        new ServerId("b", 1, 1),
                        "somebody",
                        false,
                        EnvironmentEdgeManager.currentTime());
        assertThat(mockMasterWebUi.act("ops", "remove-pin", "{\"region\":\"abc\"}"))
                .isEqualTo("200 {\"done\":\"The pin is removed.\"}");
        assertThat(mockMasterWebUi.act("ops", "remove-pin", "{\"region\":\"abc\"}"))
                .isEqualTo("404 {\"problem\":\"The region abc is not pinned by a manual move.\"}");
        assertThat(mockMasterWebUi.act("ops", "remove-pin", "{}"))
                .isEqualTo("400 {\"problem\":\"remove-pin needs a region (its encoded name).\"}");
    }

    @Test
    void whatIsNotThereCanNotBeAskedFor() throws Exception {
        assertThat(mockMasterWebUi.act("ops", "pause-healing", "{}"))
                .isEqualTo("404 {\"problem\":\"This master has no healer.\"}");
        assertThat(mockMasterWebUi.act("ops", "advise", "{}"))
                .isEqualTo("404 {\"problem\":\"This master's balancer is not Hearth's.\"}");
        assertThat(mockMasterWebUi.act("ops", "explode", "{}"))
                .startsWith("404 {\"problem\":\"There is no /hearth/api/actions/explode.");
    }

    @Test
    void aBodyThatIsNoJsonObjectIsRefused() throws Exception {
        String said =
                "400 {\"problem\":\"The body must be a JSON object of at most 16384 bytes, such as {\\\"table\\\":"
                        + " \\\"t\\\"}.\"}";
        assertThat(mockMasterWebUi.act("ops", "heal", "[1]")).isEqualTo(said);
        assertThat(mockMasterWebUi.act("ops", "heal", "{\"table\":")).isEqualTo(said);
        assertThat(mockMasterWebUi.act("ops", "heal", " ".repeat(16_385))).isEqualTo(said);
    }

    @Test
    void somebodyElseIsRefusedAndCounted() throws Exception {
        long before = RegisteredMetrics.counter(UiMetrics.INFO, "actionsRefused");
        assertThat(mockMasterWebUi.act("mallory", "advise", "{}"))
                .startsWith("403 {\"problem\":\"HBase's web UI is read-only for you:");
        assertThat(RegisteredMetrics.counter(UiMetrics.INFO, "actionsRefused")).isEqualTo(before + 1);
        assertThat(mockMasterWebUi.get("/hearth/api/actions").body())
                .startsWith("{\"allowed\":false,\"why\":\"HBase's web UI");
        assertThat(mockMasterWebUi
                        .send(mockMasterWebUi
                                .request("/hearth/api/actions")
                                .header(TestUserInitializer.USER_HEADER, "ops"))
                        .body())
                .isEqualTo("{\"allowed\":true}");
    }
}
