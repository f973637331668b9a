package io.hearth.cli;

import io.hearth.balancer.hbase.ConfigurationSettings;
import io.hearth.balancer.load.RegionId;
import io.hearth.healing.client.ClientHost;
import io.hearth.healing.config.HealingSettings;
import io.hearth.healing.hbase.HealingMetricRegistry;
import io.hearth.healing.metrics.HealingGauge;
import io.hearth.healing.observe.Assignments;
import io.hearth.healing.observe.Observed;
import io.hearth.operate.client.ClusterEye;
import io.hearth.operate.rpc.Ask;
import io.hearth.operate.view.Sizes;
import io.hearth.web.hbase.Answer;
import io.hearth.web.model.HealingWord.State;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.apache.hbase.thirdparty.com.google.common.collect.Lists;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;

/**
 * One heal by the healer in the master: it is asked for the regions that are away, and followed to the end by what the servers
 * report. One thread's.
 */
final class HealByMaster {

    private static final long HOOK_MS = 5_000;

    /** A fifth of what a request may have. */
    private static final int REGIONS_A_REQUEST = 5_000;

    private final ClusterEye eye;
    private final Assignments assignments;
    private final HealProgress progress;
    private final ProgressPrinter printer;
    private final double until;
    private final long betweenLooksMs;
    private Optional<Standing> last = Optional.empty();
    private long lastChangeMs;

    /** @param progress hears of each look of the host's */
    HealByMaster(ClusterEye eye, ClientHost host, HealProgress progress, ProgressPrinter printer, double until) {
        this.eye = eye;
        this.assignments = host.assignments(new HealingMetricRegistry(), problem -> {});
        this.progress = progress;
        this.printer = printer;
        this.until = until;
        // As often as the healer itself looks: the reports of all regions are much to ask for.
        this.betweenLooksMs = HealingSettings.read("hbase-site.xml", new ConfigurationSettings(host.configuration()))
                .config()
                .pollMs();
    }

    /** Whether there is a healer in the master that makes moves now, so that it can be asked. */
    static boolean isAtWork(JsonObject page) {
        return state(page) == State.ON;
    }

    /** Asks for it, and returns when it is over. */
    Verdict run() throws IOException {
        progress.countByReports();
        look();
        if (progress.standing().regions() == 0) {
            return HealJudge.NOTHING_TO_HEAL;
        }
        if (!isReached(progress.standing())) {
            ask();
        }
        SignalHook hook = new SignalHook(
                () -> printer.say("Stopped looking: the healer in the master goes on with what it was asked."));
        hook.set(HOOK_MS);
        try (hook) {
            Verdict verdict = follow();
            hook.leaveItTheLastWord();
            return verdict;
        }
    }

    private Verdict follow() throws IOException {
        while (true) {
            JsonObject page =
                    eye.lookInMaster().orElseThrow(() -> new IOException("Hearth is not in the master any more"));
            progress.localNotReported(localNotReported(page));
            Standing now = progress.standing().withOpenMoves(openMoves(page));
            printer.show(now, nowMs());
            Optional<Verdict> verdict = judge(now, page);
            if (verdict.isPresent()) {
                printer.end(now, nowMs());
                return verdict.get();
            }
            LockSupport.parkNanos(betweenLooksMs * 1_000_000);
            look();
        }
    }

    private boolean isReached(Standing now) {
        return now.locality() >= until && progress.hasEveryReport();
    }

    private void look() throws IOException {
        if (assignments.look() instanceof Observed.Unknown<?> unknown) {
            throw new IOException(unknown.detail());
        }
    }

    private void ask() throws IOException {
        for (List<RegionId> some : Lists.partition(progress.away(), REGIONS_A_REQUEST)) {
            ask(some);
        }
    }

    private void ask(List<RegionId> some) throws IOException {
        JsonArray regions = new JsonArray();
        some.stream().map(RegionId::encodedName).forEach(regions::add);
        JsonObject wish = new JsonObject();
        wish.add("regions", regions);
        Answer answer =
                eye.ask(Ask.HEAL, wish).orElseThrow(() -> new IOException("Hearth is not in the master any more"));
        JsonObject said = JsonParser.parseString(answer.body()).getAsJsonObject();
        if (answer.status() != Answer.OK) {
            throw new IOException(said.get("problem").getAsString());
        }
        printer.say(said.get("done").getAsString());
    }

    private Optional<Verdict> judge(Standing now, JsonObject page) {
        if (!Optional.of(now).equals(last)) {
            last = Optional.of(now);
            lastChangeMs = nowMs();
        }
        String locality = "locality is " + Sizes.share(now.locality()) + notReported(progress.localNotReported());
        if (isReached(now)) {
            return Optional.of(new Verdict(ExitCode.DONE, locality));
        }
        if (state(page) != State.ON) {
            return Optional.of(new Verdict(
                    state(page) == State.WAITING ? ExitCode.ANOTHER_WORKS : ExitCode.INCOMPLETE,
                    locality + ", and the healer in the master is "
                            + healing(page).get("stateText").getAsString()
                            + Optional.ofNullable(healing(page).get("why"))
                                    .map(why -> ": " + why.getAsString())
                                    .orElse("")));
        }
        boolean isQuiet = now.openMoves() == 0 && nowMs() - lastChangeMs >= HealJudge.QUIET_MS;
        return isQuiet
                ? Optional.of(new Verdict(
                        ExitCode.INCOMPLETE,
                        locality + " by the servers' reports, and the healer in the master has nothing to do;"
                                + " bin/hearth doctor says whether the reports are true, bin/hearth heal --here why"
                                + " blocks stay"))
                : Optional.empty();
    }

    /** With what makes their servers look: a region that is reopened goes back to its server. */
    static String notReported(List<RegionId> regions) {
        if (regions.isEmpty()) {
            return "";
        }
        String region = regions.get(0).encodedName();
        return ProgressText.notReported(regions.size()) + "; in hbase shell: unassign '" + region + "'; assign '"
                + region + "'" + (regions.size() > 1 ? ", and so for " + (regions.size() - 1) + " more" : "");
    }

    private static Map<RegionId, String> localNotReported(JsonObject page) {
        Map<RegionId, String> serverByRegion = new HashMap<>();
        JsonArray told = healing(page).getAsJsonArray("localNotReported");
        if (told != null) {
            told.forEach(one -> serverByRegion.put(
                    new RegionId(one.getAsJsonObject().get("region").getAsString()),
                    one.getAsJsonObject().get("server").getAsString()));
        }
        return serverByRegion;
    }

    private static JsonObject healing(JsonObject page) {
        return page.getAsJsonObject("healing");
    }

    private static State state(JsonObject page) {
        return State.valueOf(healing(page).get("state").getAsString());
    }

    private static int openMoves(JsonObject page) {
        JsonObject now = healing(page).getAsJsonObject("now");
        return now.get(HealingGauge.BLOCKS_WAITING.metric()).getAsInt()
                + now.get(HealingGauge.BLOCKS_IN_FLIGHT.metric()).getAsInt();
    }

    private static long nowMs() {
        return System.nanoTime() / 1_000_000;
    }
}
