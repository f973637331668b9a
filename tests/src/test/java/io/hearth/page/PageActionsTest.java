package io.hearth.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.config.MapSettings;
import io.hearth.balancer.engine.BalanceEngine;
import io.hearth.balancer.hbase.MasterLinks;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.load.TableId;
import io.hearth.balancer.search.DirectedPlanner;
import io.hearth.integration.Metrics;
import io.hearth.web.hbase.PageMetrics;
import java.util.Map;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an operator asks for by the page, past every gate, over a real balancer without a cluster. */
class PageActionsTest {

    private final BalanceEngine engine = new BalanceEngine(
            BalancerConfig.read("", new MapSettings(Map.of()), key -> true), new DirectedPlanner()::plan);
    private WebUi webUi;

    @BeforeEach
    void start() throws Exception {
        webUi = WebUi.startWithUsers();
        webUi.conf.setBoolean("hearth.page.actions", true);
        webUi.conf.set("hbase.security.authentication.ui", "kerberos");
        webUi.conf.setBoolean("hadoop.security.authorization", true);
    }

    @AfterEach
    void stop() {
        webUi.close();
    }

    @Test
    void plansBecomeAdviceAndActAgain() throws Exception {
        MasterLinks.offerEngine(webUi.conf, engine);
        assertThat(webUi.act("ops", "advise", "{}"))
                .isEqualTo(
                        "200 {\"done\":\"Plans are advice from the next run on, and the stock balancer plans and acts alone; the"
                                + " next master knows nothing of it.\"}");
        assertThat(engine.steering().adviseOnly()).contains("ops asked for advice only");
        assertThat(webUi.act("ops", "act", ""))
                .isEqualTo("200 {\"done\":\"Plans are carried out from the next run on.\"}");
        assertThat(engine.steering().adviseOnly()).isEmpty();

        engine.configure(
                BalancerConfig.read("", new MapSettings(Map.of("hearth.balancer.mode", "advise")), key -> true), 0);
        assertThat(webUi.act("ops", "act", "{}"))
                .isEqualTo("200 {\"done\":\"Plans stay advice: hearth.balancer.mode is advise.\"}");
    }

    @Test
    void aPinOfAMoveByHandIsLifted() throws Exception {
        MasterLinks.offerEngine(webUi.conf, engine);
        engine.steering()
                .movedByHand(
                        new RegionId("abc"),
                        new TableId("t"),
                        new ServerId("a", 1, 1),
                        new ServerId("b", 1, 1),
                        "somebody",
                        false,
                        EnvironmentEdgeManager.currentTime());
        assertThat(webUi.act("ops", "lift-pin", "{\"region\":\"abc\"}"))
                .isEqualTo("200 {\"done\":\"The pin is lifted.\"}");
        assertThat(webUi.act("ops", "lift-pin", "{\"region\":\"abc\"}"))
                .isEqualTo("404 {\"problem\":\"The region abc is not pinned by a move by hand.\"}");
        assertThat(webUi.act("ops", "lift-pin", "{}"))
                .isEqualTo("400 {\"problem\":\"lift-pin needs a region (its encoded name).\"}");
    }

    @Test
    void whatIsNotThereCanNotBeAskedFor() throws Exception {
        assertThat(webUi.act("ops", "pause-healing", "{}"))
                .isEqualTo("404 {\"problem\":\"This master has no healer.\"}");
        assertThat(webUi.act("ops", "advise", "{}"))
                .isEqualTo("404 {\"problem\":\"This master's balancer is not Hearth's.\"}");
        assertThat(webUi.act("ops", "explode", "{}"))
                .startsWith("404 {\"problem\":\"There is no /hearth/api/actions/explode.");
    }

    @Test
    void aBodyThatIsNoJsonObjectIsRefused() throws Exception {
        String said =
                "400 {\"problem\":\"The body must be a JSON object of at most 16384 bytes, such as {\\\"table\\\":"
                        + " \\\"t\\\"}.\"}";
        assertThat(webUi.act("ops", "heal", "[1]")).isEqualTo(said);
        assertThat(webUi.act("ops", "heal", "{\"table\":")).isEqualTo(said);
        assertThat(webUi.act("ops", "heal", " ".repeat(16_385))).isEqualTo(said);
    }

    @Test
    void somebodyElseIsRefusedAndCounted() throws Exception {
        long before = Metrics.counter(PageMetrics.INFO, "actionsRefused");
        assertThat(webUi.act("mallory", "advise", "{}"))
                .startsWith("403 {\"problem\":\"HBase's web UI is read-only for you:");
        assertThat(Metrics.counter(PageMetrics.INFO, "actionsRefused")).isEqualTo(before + 1);
        assertThat(webUi.get("/hearth/api/actions").body()).startsWith("{\"allowed\":false,\"why\":\"HBase's web UI");
        assertThat(webUi.send(webUi.request("/hearth/api/actions").header(TestUserInitializer.USER_HEADER, "ops"))
                        .body())
                .isEqualTo("{\"allowed\":true}");
    }
}
