package io.hearth.doctor.model;

import java.util.List;
import java.util.stream.Stream;

/**
 * A cluster as far as it could be read at one time. Immutable.
 *
 * @param user as whom it was asked
 * @param standIn the configuration of whoever asks, which stands in for that of a process that does not show its own
 * @param standInName whose that is, for a person: {@code the client's configuration}
 * @param regionServers sorted by host
 * @param dataNodes sorted by host
 */
public record Examined(
        String user,
        Settings standIn,
        String standInName,
        FoundMaster master,
        List<FoundRegionServer> regionServers,
        Answer<List<FoundNameNode>> nameNodes,
        Answer<List<FoundDataNode>> dataNodes,
        FoundHdfs hdfs,
        FoundHBase hbase) {

    public Examined {
        regionServers = List.copyOf(regionServers);
    }

    /** One process and its configuration. */
    public record Member(Role role, String host, Answer<Settings> settings) {

        /** For a person. */
        public String name() {
            return role.word() + " " + host;
        }
    }

    /** All processes that are known to be there. */
    public Stream<Member> members() {
        return Stream.of(
                        Stream.of(new Member(Role.HMASTER, master.host(), master.settings())),
                        regionServers.stream()
                                .map(server -> new Member(Role.REGIONSERVER, server.host(), server.settings())),
                        nameNodes.ifKnown().stream()
                                .flatMap(List::stream)
                                .map(node -> new Member(Role.NAMENODE, node.host(), node.settings())),
                        dataNodes.ifKnown().stream()
                                .flatMap(List::stream)
                                .map(node -> new Member(Role.DATANODE, node.host(), node.settings())))
                .flatMap(stream -> stream);
    }

    /** The processes of one role. */
    public Stream<Member> members(Role role) {
        return members().filter(member -> member.role() == role);
    }

    /** What a process is configured with, or what stands in for it. */
    public Settings settingsOf(Answer<Settings> settings) {
        return settings.ifKnown().orElse(standIn);
    }
}
