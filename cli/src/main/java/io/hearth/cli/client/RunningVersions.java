// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.client;

import io.hearth.cli.heal.SiteConfigLoader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/**
 * The versions that run in a cluster, as it says itself. Immutable. It loads where there is no HBase; only asking needs it.
 *
 * @param hearth version and commit of Hearth in the HMaster; empty where it is not there, does not say, or was not asked
 * @param problem what could not be asked, and why
 */
public record RunningVersions(Optional<String> hbase, Optional<String> hearth, Optional<String> problem) {

    /** Nothing is known, for this reason. */
    public static RunningVersions unknown(String why) {
        return new RunningVersions(Optional.empty(), Optional.empty(), Optional.of(why));
    }

    /**
     * Asks on a daemon thread, which is left behind if it does not end by the deadline.
     *
     * @param folder with the cluster's {@code hbase-site.xml}
     * @param inWords what went wrong, in one line
     */
    public static RunningVersions ask(
            Path folder, Map<String, String> environment, Duration deadline, Function<Exception, String> inWords) {
        ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
            Thread made = new Thread(task, "hearth-version");
            made.setDaemon(true);
            return made;
        });
        Future<RunningVersions> answer = thread.submit(() -> Question.ask(folder, environment, inWords));
        try {
            return answer.get(deadline.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            return unknown("no answer within " + deadline.toSeconds() + " s");
        } catch (ExecutionException failed) {
            return unknown(failed.getCause() instanceof Exception why ? inWords.apply(why) : failed.toString());
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            return unknown("it was interrupted");
        } finally {
            thread.shutdownNow();
        }
    }

    /** What needs HBase; loaded when it is asked. */
    static final class Question {

        private Question() {}

        static RunningVersions ask(Path folder, Map<String, String> environment, Function<Exception, String> inWords)
                throws IOException {
            Configuration site = SiteConfigLoader.load(Optional.of(folder), environment);
            SiteConfigLoader.prepareLogin(site);
            try (ClusterClient client = ClusterClient.open(site)) {
                Optional<String> hbase = Optional.ofNullable(client.admin()
                        .getClusterMetrics(EnumSet.of(ClusterMetrics.Option.HBASE_VERSION))
                        .getHBaseVersion());
                try {
                    Optional<String> hearth = client.statusFromMaster().flatMap(Question::hearth);
                    return new RunningVersions(hbase, hearth, Optional.empty());
                } catch (IOException refused) {
                    return new RunningVersions(hbase, Optional.empty(), Optional.of(inWords.apply(refused)));
                }
            }
        }

        /** By the page of the HMaster; one of before 0.1.0 says nothing. */
        static Optional<String> hearth(JsonObject page) {
            return Optional.ofNullable(page.getAsJsonObject("overview"))
                    .map(overview -> overview.getAsJsonObject("build"))
                    .map(build -> build.get("version").getAsString() + " ("
                            + build.get("commit").getAsString() + ")");
        }
    }
}
