package io.hearth.doctor.check;

import static io.hearth.doctor.model.Key.BALANCE_MOVES;
import static io.hearth.doctor.model.Role.DATANODE;

import io.hearth.balancer.config.MapSettings;
import io.hearth.balancer.config.RawSettings;
import io.hearth.doctor.check.Diagnosis.Unread;
import io.hearth.doctor.model.Examined;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.FoundDataNode;
import io.hearth.doctor.model.Remedy.Advice;
import io.hearth.doctor.model.Remedy.Effect;
import io.hearth.doctor.model.Remedy.Line;
import io.hearth.doctor.model.Severity;
import io.hearth.healing.config.HealingSettings;
import java.util.ArrayList;
import java.util.List;

/** Whether a DataNode takes as many block moves at a time as the healer may ask of it, in and out. */
final class ConcurrentMovesCheck implements Check {

    @Override
    public String name() {
        return "concurrent-moves";
    }

    @Override
    public List<Finding> examine(Examined cluster) {
        RawSettings healer =
                new MapSettings(cluster.settingsOf(cluster.master().settings()).values());
        long asked =
                2L * HealingSettings.read("hbase-site.xml", healer).config().concurrentMovesPerDataNode();
        Diagnosis diagnosis = new Diagnosis(
                name(),
                Severity.COST,
                "The DataNode refuses moves over its quota; each of them waits and is tried again.",
                "DataXceiverServer.BlockBalanceThrottler; shared with the HDFS Balancer and Mover",
                new Line(
                        DATANODE,
                        BALANCE_MOVES.key(),
                        String.valueOf(Math.max(asked, Long.parseLong(BALANCE_MOVES.defaultValue()))),
                        Effect.RECONFIG),
                new Advice(
                        "Or lower " + HealingSettings.CONCURRENT_MOVES_PER_DATANODE.key()
                                + " of the healer to half of what the DataNode takes part in; update_all_config is enough for that"));
        List<String> tooFew = new ArrayList<>();
        List<Unread> unread = new ArrayList<>();
        for (FoundDataNode node : cluster.dataNodes().ifKnown().orElse(List.of())) {
            String name = DATANODE.word() + " " + node.host();
            node.balanceMoves().whyUnknown().ifPresent(why -> unread.add(new Unread(name, why)));
            node.balanceMoves().ifKnown().filter(moves -> moves < asked).ifPresent(few -> tooFew.add(name));
        }
        List<Finding> findings = new ArrayList<>(diagnosis.foundIfAny(
                tooFew,
                "It takes part in fewer block moves at a time than the " + asked
                        + " that the healer may ask of it, in and out: " + BALANCE_MOVES.key() + "."));
        findings.addAll(diagnosis.unknowns(unread));
        return findings;
    }
}
