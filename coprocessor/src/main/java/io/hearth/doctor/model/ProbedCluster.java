// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.model;

import java.util.List;
import java.util.stream.Stream;

/**
 * A cluster as far as it could be read at one time. Immutable.
 *
 * @param user as whom it was asked
 * @param fallbackConfig the configuration of whoever asks, which stands in for that of a process that does not show its own
 * @param fallbackName whose that is, for a person: {@code the client's configuration}
 * @param regionServers sorted by host
 * @param dataNodes sorted by host
 */
public record ProbedCluster(
        String user,
        ProcessConfig fallbackConfig,
        String fallbackName,
        ProbedMaster master,
        List<ProbedRegionServer> regionServers,
        ProbeResult<List<ProbedNameNode>> nameNodes,
        ProbeResult<List<ProbedDataNode>> dataNodes,
        ProbedHdfs hdfs,
        ProbedHBase hbase) {

    /** The fallback's name where it is the file with which an HMaster starts. */
    public static final String MASTERS_FILE = "the HMaster's hbase-site.xml";

    public ProbedCluster {
        regionServers = List.copyOf(regionServers);
    }

    /** Whether an HMaster starts with the fallback: whoever asks is an HMaster, or is on the host of one. */
    public boolean isFallbackOfMaster() {
        return fallbackName.equals(MASTERS_FILE);
    }

    /** One process and its configuration. */
    public record Daemon(Role role, String host, ProbeResult<ProcessConfig> settings) {

        /** For a person. */
        public String name() {
            return role.word() + " " + host;
        }
    }

    /** All processes that are known to be there. */
    public Stream<Daemon> daemons() {
        return Stream.of(
                        Stream.of(new Daemon(Role.HMASTER, master.host(), master.settings())),
                        regionServers.stream()
                                .map(server -> new Daemon(Role.REGIONSERVER, server.host(), server.settings())),
                        nameNodes.ifKnown().stream()
                                .flatMap(List::stream)
                                .map(node -> new Daemon(Role.NAMENODE, node.host(), node.settings())),
                        dataNodes.ifKnown().stream()
                                .flatMap(List::stream)
                                .map(node -> new Daemon(Role.DATANODE, node.host(), node.settings())))
                .flatMap(stream -> stream);
    }

    /** The processes of one role. */
    public Stream<Daemon> daemons(Role role) {
        return daemons().filter(daemon -> daemon.role() == role);
    }

    /** What a process is configured with, or what stands in for it. */
    public ProcessConfig settingsOf(ProbeResult<ProcessConfig> settings) {
        return settings.ifKnown().orElse(fallbackConfig);
    }
}
