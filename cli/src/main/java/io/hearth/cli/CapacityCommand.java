// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.cli.CapacityJson.EarlierUse;
import io.hearth.cli.view.CapacityText;
import io.hearth.cli.view.CapacityText.Then;
import io.hearth.common.config.HumanFormat;
import io.hearth.doctor.capacity.CapacityForecast;
import io.hearth.doctor.capacity.CapacityForecast.Figures;
import io.hearth.doctor.capacity.CapacityForecast.Growth;
import io.hearth.doctor.capacity.CapacityForecast.WhatIf;
import io.hearth.doctor.capacity.ObservedCluster;
import io.hearth.doctor.hbase.CapacityProbe;
import io.hearth.doctor.hbase.ClusterProbe.DoctorLimits;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bin/hearth capacity}: whether memory, files and disks fit, and what if there were more of something. */
@Command(
        name = "capacity",
        description = {
            "Says by the cluster's own numbers whether memory, regions, flushes and disks fit,",
            "how far a server has come from many regions to blocked writes, and what would be",
            "with more servers, more writes or larger regions. Changes nothing, and needs nothing",
            "of Hearth in the cluster.",
            ""
        },
        sortOptions = false,
        usageHelpAutoWidth = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it is told, good or bad",
            "2:a wrong argument",
            "4:HBase can't be asked",
            "5:the login failed"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  bin/hearth capacity",
            "  bin/hearth capacity --servers +10 --writes 2x --split-at 20g",
            "  bin/hearth capacity --growth 50g/day",
            "  bin/hearth capacity --output json > monday.json",
            "  bin/hearth capacity --earlier monday.json"
        })
final class CapacityCommand implements Callable<Integer> {

    private static final double MAX_WRITES = 1_000;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--servers",
            paramLabel = "+N",
            description = "what if so many RegionServers more, or with -N fewer")
    private @Nullable String servers;

    @Option(names = "--writes", paramLabel = "Nx", description = "what if so many times the writes, 0.01x to 1000x")
    private @Nullable String writes;

    @Option(
            names = "--split-at",
            paramLabel = "SIZE",
            description = "what if regions were split at this size, 20g say (default: as now)")
    private @Nullable String splitAt;

    @Option(
            names = "--growth",
            paramLabel = "SIZE/day",
            description = "by how much store files grow, 50g/day say, one replica counted")
    private @Nullable String growth;

    @Option(
            names = "--earlier",
            paramLabel = "FILE",
            description = "what --output json has printed some time ago, for the growth since")
    private @Nullable Path earlier;

    @Mixin
    private OutputOptions output;

    @Mixin
    private ClusterOptions cluster;

    CapacityCommand() {}

    @Override
    public Integer call() throws IOException {
        boolean isJson = output.isJson();
        WhatIf change = new WhatIf(addedServers(), writesFactor(), splitBytes());
        Optional<Long> storeBytesPerDay = storeBytesPerDay();
        Optional<EarlierUse> before = earlierUse();
        ObservedCluster observed =
                CapacityProbe.observe(cluster.site(), DoctorLimits.COMMAND_LINE, System.currentTimeMillis());
        Optional<Growth> grows = growth(observed, storeBytesPerDay, before);
        Figures now = CapacityForecast.of(observed, WhatIf.NOTHING, grows);
        Optional<Then> then = change.equals(WhatIf.NOTHING)
                ? Optional.empty()
                : Optional.of(new Then(change, CapacityForecast.of(observed, change, grows)));
        PrintWriter out = spec.commandLine().getOut();
        if (isJson) {
            out.println(CapacityJson.of(observed, now, then, grows));
        } else {
            CapacityText.lines(observed, now, then, grows).forEach(out::println);
        }
        out.flush();
        return ExitCode.DONE.code();
    }

    private Optional<Growth> growth(
            ObservedCluster observed, Optional<Long> storeBytesPerDay, Optional<EarlierUse> before) {
        if (storeBytesPerDay.isPresent()) {
            return storeBytesPerDay.map(bytes -> Growth.given(bytes, observed.replication()));
        }
        return before.flatMap(use -> observed.space().ifKnown().map(space -> {
            if (use.atMs() >= observed.atMs()) {
                throw cluster.problem("--earlier is " + earlier + ", which is of a later time than now");
            }
            return Growth.between(use.atMs(), use.usedBytes(), observed.atMs(), space.usedBytes());
        }));
    }

    private int addedServers() {
        if (servers == null) {
            return 0;
        }
        if (!servers.matches("[+-]\\d{1,5}")) {
            throw cluster.problem("--servers is " + servers + "; it must be a number with its sign, like +10");
        }
        return Integer.parseInt(servers);
    }

    private double writesFactor() {
        if (writes == null) {
            return 1;
        }
        double factor = writes.matches("\\d{1,4}(\\.\\d{1,3})?x") ? Double.parseDouble(writes.replace("x", "")) : 0;
        if (factor < 0.01 || factor > MAX_WRITES) {
            throw cluster.problem("--writes is " + writes + "; allowed are 0.01x to 1000x");
        }
        return factor;
    }

    private Optional<Long> splitBytes() {
        return Optional.ofNullable(splitAt).map(text -> HumanFormat.parse(text)
                .filter(bytes -> bytes >= 1L << 20)
                .orElseThrow(() -> cluster.problem("--split-at is " + text + "; it must be 1m or more, like 20g")));
    }

    private Optional<Long> storeBytesPerDay() {
        if (growth != null && earlier != null) {
            throw cluster.problem("--growth says it and --earlier reckons it; leave one of them out");
        }
        return Optional.ofNullable(growth).map(text -> {
            String lower = text.toLowerCase(Locale.ROOT);
            return Optional.of(lower)
                    .filter(given -> given.endsWith("/day"))
                    .flatMap(given -> HumanFormat.parse(given.substring(0, given.length() - "/day".length())))
                    .orElseThrow(() ->
                            cluster.problem("--growth is " + text + "; it must be a size for each day, like 50g/day"));
        });
    }

    private Optional<EarlierUse> earlierUse() {
        if (earlier == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(CapacityJson.read(earlier));
        } catch (NoSuchFileException none) {
            throw cluster.problem("--earlier is " + earlier + ", which is no file that can be read");
        } catch (IOException unreadable) {
            throw cluster.problem("--earlier is " + earlier + ": " + unreadable.getMessage());
        }
    }
}
