// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.cli.heal.ClientRuntime;
import io.hearth.cli.heal.HealScope;
import io.hearth.common.hadoop.ConfigFileWatcher;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code bin/hearth healer daemon}: heals until it is stopped, as the healer in the HMaster does. */
@Command(
        name = "daemon",
        description = {
            "Heals until it is stopped, by the hearth.heal. keys of hbase-site.xml, which it",
            "reads again when the file has changed: for a cluster without Hearth in the",
            "master, or to heal as another user than it. While another healer works it",
            "waits. Its systemd unit is conf/hearth-healer.service.",
            ""
        },
        sortOptions = false,
        usageHelpAutoWidth = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "2:a wrong argument",
            "4:HBase or HDFS can't be asked when it starts",
            "5:the login failed",
            "143:stopped by SIGTERM, 130 by Ctrl-C"
        },
        footerHeading = "%nExamples:%n",
        footer = {"  bin/hearth healer daemon", "  bin/hearth healer daemon --config /etc/hbase/conf"})
final class HealerDaemonCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private ClusterOptions cluster;

    HealerDaemonCommand() {}

    @Override
    public Integer call() throws IOException {
        HealProgress progress = new HealProgress(1.0);
        ProgressPrinter printer = new ProgressPrinter(spec.commandLine().getOut(), ProgressPrinter.Style.PLAIN, 1.0);
        // Before the first reading, so that no change is lost between the two.
        ConfigFileWatcher site = cluster.watch();
        try (ClientRuntime host =
                ClientRuntime.connect(cluster.site(), "healer-daemon", HealScope.ALL, progress::looked)) {
            printer.say("Healing until stopped, as " + host.userName() + ".");
            return new HealDaemon(host, progress, printer, site).run().code();
        }
    }
}
