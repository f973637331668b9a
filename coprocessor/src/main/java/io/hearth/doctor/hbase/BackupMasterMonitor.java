// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.hbase;

import io.hearth.common.hadoop.LinkFailure;
import io.hearth.doctor.check.BackupMasterCheck;
import io.hearth.doctor.model.Finding.Fix.ConfigLine;
import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import io.hearth.doctor.model.ProcessConfig;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.master.HMaster;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says in the log of the active HMaster which backup HMaster lacks what of Hearth the active one has: after a failover to it that would
 * simply be gone. One that does not show its configuration is said too, as after a failover nobody is left to tell. Each is asked for its page {@code /conf} every ten minutes, one after the other on a daemon thread; the same is said
 * once a day. One for each HMaster, however often HBase makes a coprocessor anew: on a reload it does not stop the old one.
 */
public final class BackupMasterMonitor {

    private static final Logger LOG = LoggerFactory.getLogger(BackupMasterMonitor.class);
    private static final Duration EVERY = Duration.ofMinutes(10);
    private static final Duration AGAIN = Duration.ofDays(1);
    private static final Set<HMaster> WATCHED =
            Collections.newSetFromMap(Collections.synchronizedMap(new WeakHashMap<>()));

    private final BiFunction<String, Integer, ProbeResult<ProcessConfig>> ask;
    private final Map<String, LoggedWarning> loggedByHost = new HashMap<>();
    /** When it was said of a host that it shows nothing. */
    private final Map<String, Long> notShownMsByHost = new HashMap<>();

    private record LoggedWarning(String words, long atMs) {}

    /** @param ask the configuration of the HMaster with a web UI at this host and port */
    BackupMasterMonitor(BiFunction<String, Integer, ProbeResult<ProcessConfig>> ask) {
        this.ask = ask;
    }

    /** Watches until the master stops; says whether nobody did so far, else it does nothing. */
    public static boolean start(HMaster master) {
        if (!WATCHED.add(master)) {
            return false;
        }
        String scheme = master.getConfiguration().getBoolean("hbase.ssl.enabled", false) ? "https" : "http";
        BackupMasterMonitor watch = new BackupMasterMonitor(
                (host, port) -> InfoServerClient.at(scheme, host, port).settings());
        Thread thread = new Thread(() -> watch.watch(master), "hearth-backup-masters");
        thread.setDaemon(true);
        thread.start();
        return true;
    }

    private void watch(HMaster master) {
        try {
            while (!master.isStopped()) {
                if (master.isActiveMaster() && master.isInitialized()) {
                    check(master);
                    TimeUnit.NANOSECONDS.sleep(EVERY.toNanos());
                } else {
                    TimeUnit.SECONDS.sleep(1);
                }
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        } catch (Throwable failure) {
            LinkFailure.warn(LOG, "Hearth no longer asks the backup masters; the master goes on.", failure);
        }
    }

    /** Asks each backup of this master once, and logs what is to be said. */
    void check(HMaster master) {
        try {
            ProcessConfig active = LocalConfigReader.of(master.getConfiguration());
            List<ServerName> backups = master.getBackupMasters();
            retainOnly(backups.stream().map(ServerName::getHostname).collect(Collectors.toSet()));
            for (ServerName backup : backups) {
                int port = master.getBackupMasterInfoPort(backup);
                if (port > 0) {
                    warning(active, backup.getHostname(), port, System.nanoTime() / 1_000_000)
                            .ifPresent(LOG::warn);
                }
            }
        } catch (Throwable failure) {
            LinkFailure.warn(
                    LOG,
                    "Hearth could not ask the backup masters for their configuration; the master goes on.",
                    failure);
        }
    }

    /** A host that is no backup any more is new when it is one again. */
    void retainOnly(Set<String> hosts) {
        loggedByHost.keySet().retainAll(hosts);
        notShownMsByHost.keySet().retainAll(hosts);
    }

    /** What is to be said of this one now; empty where all is well, where its web UI does not answer, and where it was said. */
    Optional<String> warning(ProcessConfig active, String host, int port, long nowMs) {
        ProbeResult<ProcessConfig> backup = ask.apply(host, port);
        return backup.whyUnknown().isPresent()
                ? notShown(host, backup.whyUnknown().get(), nowMs)
                : missing(active, host, backup, nowMs);
    }

    private Optional<String> notShown(String host, String why, long nowMs) {
        Long saidMs = notShownMsByHost.get(host);
        if (InfoServerClient.isNoAnswer(why) || saidMs != null && nowMs - saidMs < AGAIN.toMillis()) {
            return Optional.empty();
        }
        notShownMsByHost.put(host, nowMs);
        return Optional.of("The backup master " + host + " does not show its configuration (" + why
                + "): nobody can say whether Hearth is there after a failover to it. Look into its hbase-site.xml.");
    }

    private Optional<String> missing(ProcessConfig active, String host, ProbeResult<ProcessConfig> backup, long nowMs) {
        notShownMsByHost.remove(host);
        List<ConfigLine> missing = backup.ifKnown()
                .map(own -> BackupMasterCheck.missing(active, own))
                .orElse(List.of());
        if (missing.isEmpty()) {
            loggedByHost.remove(host);
            return Optional.empty();
        }
        String words = "The backup master " + host
                + " has not what of Hearth this master has. After a failover to it that is gone."
                + " Add to its hbase-site.xml, then restart it: "
                + missing.stream().map(ConfigLine::xml).collect(Collectors.joining(" "));
        LoggedWarning logged = loggedByHost.get(host);
        if (logged != null && logged.words().equals(words) && nowMs - logged.atMs() < AGAIN.toMillis()) {
            return Optional.empty();
        }
        loggedByHost.put(host, new LoggedWarning(words, nowMs));
        return Optional.of(words);
    }
}
