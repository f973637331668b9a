// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.check;

import static io.hearth.doctor.model.HadoopKey.BALANCE_MOVES;
import static io.hearth.doctor.model.Role.DATANODE;

import io.hearth.common.config.RawSettings;
import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.doctor.check.FindingTemplate.Unreadable;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Fix.Advice;
import io.hearth.doctor.model.Fix.ConfigLine;
import io.hearth.doctor.model.Fix.Effect;
import io.hearth.doctor.model.ProbedCluster;
import io.hearth.doctor.model.ProbedDataNode;
import io.hearth.doctor.model.Severity;
import io.hearth.healer.config.HealingSettings;
import java.util.ArrayList;
import java.util.List;

/** Whether a DataNode takes as many block moves at a time as the healer may ask of it, in and out. */
final class ConcurrentMovesCheck implements Check {

    @Override
    public String name() {
        return "concurrent-moves";
    }

    @Override
    public List<Finding> examine(ProbedCluster cluster) {
        RawSettings healer =
                new MapSettings(cluster.settingsOf(cluster.master().settings()).values());
        long asked =
                2L * HealingSettings.read("hbase-site.xml", healer).config().concurrentMovesPerDataNode();
        FindingTemplate template = new FindingTemplate(
                name(),
                Severity.WARNING,
                "The DataNode refuses moves over its quota; each of them waits and is tried again.",
                "DataXceiverServer.BlockBalanceThrottler; shared with the HDFS Balancer and Mover",
                new ConfigLine(
                        DATANODE,
                        BALANCE_MOVES.key(),
                        String.valueOf(Math.max(asked, Long.parseLong(BALANCE_MOVES.defaultValue()))),
                        Effect.RECONFIG),
                new Advice(
                        "Or lower " + HealingSettings.CONCURRENT_MOVES_PER_DATANODE.key()
                                + " of the healer to half of what the DataNode takes part in; update_all_config is enough for that"));
        List<String> tooFew = new ArrayList<>();
        List<Unreadable> unreadable = new ArrayList<>();
        for (ProbedDataNode node : cluster.dataNodes().ifKnown().orElse(List.of())) {
            String name = DATANODE.word() + " " + node.host();
            node.balanceMoves().whyUnknown().ifPresent(why -> unreadable.add(new Unreadable(name, why)));
            node.balanceMoves().ifKnown().filter(moves -> moves < asked).ifPresent(few -> tooFew.add(name));
        }
        List<Finding> findings = new ArrayList<>(template.foundIfAny(
                tooFew,
                "It takes part in fewer block moves at a time than the " + asked
                        + " that the healer may ask of it, in and out: " + BALANCE_MOVES.key() + "."));
        findings.addAll(template.unknowns(unreadable));
        return findings;
    }
}
