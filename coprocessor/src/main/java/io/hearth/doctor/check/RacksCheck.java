package io.hearth.doctor.check;

import static io.hearth.doctor.model.Key.RACK_DETERMINER;
import static io.hearth.doctor.model.Key.TOPOLOGY_MAPPING;
import static io.hearth.doctor.model.Key.TOPOLOGY_SCRIPT;

import io.hearth.doctor.check.Diagnosis.Unread;
import io.hearth.doctor.model.Examined;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.FoundDataNode;
import io.hearth.doctor.model.FoundRegionServer;
import io.hearth.doctor.model.Key;
import io.hearth.doctor.model.Remedy.Advice;
import io.hearth.doctor.model.Remedy.Line;
import io.hearth.doctor.model.Role;
import io.hearth.doctor.model.Settings;
import io.hearth.doctor.model.Severity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Whether the HMaster and the NameNode have each host in the same rack. */
final class RacksCheck implements Check {

    private static final Diagnosis DIAGNOSIS = new Diagnosis(
            "racks",
            Severity.FAULT,
            "The balancer counts as in the same rack what is not, and the other way round: rack locality is wrong, and regions and their replicas can"
                    + " end up in one rack.",
            "RackManager; DatanodeManager",
            new Advice("Give both the same racks: the script (" + TOPOLOGY_SCRIPT.key() + ") or class ("
                    + TOPOLOGY_MAPPING.key() + "; for HBase " + RACK_DETERMINER.key()
                    + ", which needs a class with a constructor that takes a Configuration, or the HMaster does not start) of the NameNode, with"
                    + " the same data, on the HMaster's host"));

    @Override
    public String name() {
        return DIAGNOSIS.check();
    }

    @Override
    public List<Finding> examine(Examined cluster) {
        Map<String, String> rackByHost = new HashMap<>();
        cluster.dataNodes()
                .ifKnown()
                .orElse(List.of())
                .forEach(node -> rackByHost.put(node.host().toLowerCase(Locale.ROOT), node.rack()));
        List<String> different = new ArrayList<>();
        List<Unread> unread = new ArrayList<>();
        for (FoundRegionServer server : cluster.regionServers()) {
            String hdfs = rackByHost.get(server.host().toLowerCase(Locale.ROOT));
            if (hdfs == null) {
                // HostsCheck has said so.
                continue;
            }
            server.rack().whyUnknown().ifPresent(why -> unread.add(new Unread(server.host(), why)));
            server.rack()
                    .ifKnown()
                    .filter(rack -> !rack.equals(hdfs))
                    .ifPresent(rack -> different.add(server.host() + " (HMaster " + rack + ", NameNode " + hdfs + ")"));
        }
        List<Finding> findings = new ArrayList<>(
                withLines(cluster).foundIfAny(different, "HMaster and NameNode have this host in different racks."));
        if (!unread.isEmpty()) {
            findings.addAll(byConfiguration(cluster, unread));
        }
        return findings;
    }

    /** Where the master's racks can't be read: the same resolver gives the same racks, a missing one gives none. */
    private static List<Finding> byConfiguration(Examined cluster, List<Unread> unread) {
        List<Settings> both =
                new ArrayList<>(cluster.master().settings().ifKnown().stream().toList());
        cluster.nameNodes().ifKnown().stream()
                .flatMap(List::stream)
                .flatMap(node -> node.settings().ifKnown().stream())
                .findFirst()
                .ifPresent(both::add);
        if (both.size() < 2) {
            return DIAGNOSIS.unknowns(unread);
        }
        long racks = cluster.dataNodes().ifKnown().orElse(List.of()).stream()
                .map(FoundDataNode::rack)
                .distinct()
                .count();
        if (racks > 1 && !resolves(both.get(0))) {
            return withLines(cluster)
                    .found("HDFS knows " + racks + " racks, and the HMaster has nothing to resolve them with: "
                            + TOPOLOGY_SCRIPT.key() + " and " + RACK_DETERMINER.key() + " are not set.");
        }
        return resolver(both.get(0), RACK_DETERMINER).equals(resolver(both.get(1), TOPOLOGY_MAPPING))
                ? List.of()
                : DIAGNOSIS.unknowns(unread);
    }

    /** With the NameNode's script, where it shows that and the HMaster does not have it. */
    private static Diagnosis withLines(Examined cluster) {
        Optional<Settings> nameNode = cluster.members(Role.NAMENODE)
                .flatMap(node -> node.settings().ifKnown().stream())
                .findFirst();
        Settings master = cluster.settingsOf(cluster.master().settings());
        if (nameNode.isEmpty()
                || resolver(master, RACK_DETERMINER).equals(resolver(nameNode.get(), TOPOLOGY_MAPPING))) {
            return DIAGNOSIS;
        }
        String script = nameNode.get().text(TOPOLOGY_SCRIPT);
        boolean isScript = nameNode.get().text(TOPOLOGY_MAPPING).equals(TOPOLOGY_MAPPING.defaultValue());
        return isScript && !script.isEmpty() && !script.equals(master.text(TOPOLOGY_SCRIPT))
                ? DIAGNOSIS.mendedBy(List.of(Line.of(Role.HMASTER, TOPOLOGY_SCRIPT, script)))
                : DIAGNOSIS;
    }

    private static boolean resolves(Settings master) {
        return !master.text(RACK_DETERMINER).isEmpty()
                || !master.text(TOPOLOGY_SCRIPT).isEmpty();
    }

    /** HBase names its resolver in a key of its own and takes the script where that is not set ({@code RackManager}). */
    private static String resolver(Settings settings, Key named) {
        String resolver = settings.text(named);
        return (resolver.isEmpty() ? TOPOLOGY_MAPPING.defaultValue() : resolver) + " " + settings.text(TOPOLOGY_SCRIPT);
    }
}
