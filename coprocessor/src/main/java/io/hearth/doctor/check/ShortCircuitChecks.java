package io.hearth.doctor.check;

import static io.hearth.doctor.model.Key.DOMAIN_SOCKET;
import static io.hearth.doctor.model.Key.DOMAIN_SOCKET_DISABLE_S;
import static io.hearth.doctor.model.Key.SHORT_CIRCUIT;
import static io.hearth.doctor.model.Role.DATANODE;
import static io.hearth.doctor.model.Role.REGIONSERVER;

import io.hearth.doctor.model.Remedy.Line;
import io.hearth.doctor.model.Role;
import io.hearth.doctor.model.Severity;
import java.util.List;
import java.util.Optional;

/** Whether a RegionServer may read the replicas of its own host without the DataNode. */
final class ShortCircuitChecks {

    private static final String SOCKET = "/var/lib/hadoop-hdfs/dn_socket";

    private ShortCircuitChecks() {}

    static List<Check> all() {
        return List.of(isOn(REGIONSERVER), isOn(DATANODE), disableInterval());
    }

    /** Both sides need both keys: a DataNode without them does not listen (DataNode.getDomainPeerServer). */
    private static Check isOn(Role role) {
        return new SettingCheck(
                role,
                new Diagnosis(
                        "short-circuit",
                        Severity.COST,
                        "Every read of a local block goes through the DataNode and TCP, so that being at home is worth less than it could be.",
                        "default of HDFS; HubSpot's, XiaoMi's and Bloomberg's practice. It needs libhadoop.so in the java.library.path"
                                + " of both: a DataNode with these keys and without the library does not start",
                        Line.of(role, SHORT_CIRCUIT, true),
                        Line.of(role, DOMAIN_SOCKET, SOCKET)),
                settings -> {
                    if (!settings.is(SHORT_CIRCUIT)) {
                        return Optional.of("Short-circuit reads are off: " + SHORT_CIRCUIT.key() + " is false.");
                    }
                    return settings.text(DOMAIN_SOCKET).isEmpty()
                            ? Optional.of("Short-circuit reads have no socket: " + DOMAIN_SOCKET.key() + " is not set.")
                            : Optional.empty();
                });
    }

    private static Check disableInterval() {
        return new SettingCheck(
                REGIONSERVER,
                new Diagnosis(
                        "short-circuit-pause",
                        Severity.FAULT,
                        "One replica that moves away from under a local reader makes all the others go through the DataNode for that long.",
                        "DomainSocketFactory; measured",
                        Line.of(REGIONSERVER, DOMAIN_SOCKET_DISABLE_S, 0)),
                settings -> settings.is(SHORT_CIRCUIT) && settings.number(DOMAIN_SOCKET_DISABLE_S) > 0
                        ? Optional.of("After one failure all short-circuit reads of a RegionServer are off for "
                                + settings.number(DOMAIN_SOCKET_DISABLE_S) + " s.")
                        : Optional.empty());
    }
}
