// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.doctor.check.Doctor;
import io.hearth.doctor.hbase.ClusterProbe;
import io.hearth.doctor.hbase.ClusterProbe.DoctorLimits;
import io.hearth.doctor.hbase.FindingJson;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.ProbedCluster;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code bin/hearth doctor}: examines a cluster and says what is wrong with it. */
@Command(
        name = "doctor",
        description = {
            "Reads the configuration and the state of HMaster, RegionServers, NameNodes and",
            "DataNodes, and says what keeps heat uneven and data remote, what that",
            "costs, and the lines to change. Changes nothing, and needs nothing of Hearth in the",
            "cluster. What can't be read is said too.",
            ""
        },
        sortOptions = false,
        usageHelpAutoWidth = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:nothing is to be mended, as far as could be read",
            "1:something is to be mended: an ERROR or a WARNING",
            "2:a wrong argument",
            "4:HBase can't be asked",
            "5:the login failed"
        },
        footerHeading = "%nExamples:%n",
        footer = {"  bin/hearth doctor", "  bin/hearth doctor --config /etc/hbase/conf --output json"})
final class DoctorCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private OutputOptions output;

    @Mixin
    private ClusterOptions cluster;

    DoctorCommand() {}

    @Override
    public Integer call() throws IOException {
        ProbedCluster examined = ClusterProbe.examine(cluster.site(), DoctorLimits.COMMAND_LINE);
        List<Finding> findings = Doctor.findings(examined);
        boolean needsAction =
                findings.stream().anyMatch(finding -> finding.severity().needsAction());
        PrintWriter out = spec.commandLine().getOut();
        switch (output.ofRows()) {
            case JSON -> out.println(json(examined, findings, needsAction));
            case CSV -> DoctorText.table(findings).csv().forEach(out::println);
            case TABLE -> DoctorText.lines(examined, findings).forEach(out::println);
        }
        out.flush();
        return needsAction ? ExitCode.INCOMPLETE.code() : ExitCode.DONE.code();
    }

    private static JsonObject json(ProbedCluster examined, List<Finding> findings, boolean needsAction) {
        JsonObject all = new JsonObject();
        all.addProperty("examined", DoctorText.examined(examined));
        all.addProperty("healthy", !needsAction);
        all.add("findings", FindingJson.of(findings));
        return all;
    }
}
