// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.model;

import io.hearth.doctor.model.ProbedHBase.ProbedMaster;
import io.hearth.doctor.model.ProbedHBase.ProbedRegionServer;
import io.hearth.doctor.model.ProbedHdfs.ProbedDataNode;
import io.hearth.doctor.model.ProbedHdfs.ProbedNameNode;
import io.hearth.doctor.model.ProcessConfig.Role;
import java.util.List;
import java.util.Optional;
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

    /**
     * What somebody was asked for: the value, or why it could not be had, in a few words for a person. Immutable.
     *
     * @param <T> what was asked for
     */
    public sealed interface ProbeResult<T> {

        /** It was said. */
        record Known<T>(T value) implements ProbeResult<T> {}

        /** It could not be had. */
        record Unknown<T>(String why) implements ProbeResult<T> {}

        static <T> ProbeResult<T> known(T value) {
            return new Known<>(value);
        }

        static <T> ProbeResult<T> unknown(String why) {
            return new Unknown<>(why);
        }

        /** The value if it is known. */
        default Optional<T> ifKnown() {
            return this instanceof Known<T> known ? Optional.of(known.value()) : Optional.empty();
        }

        /** Why it is not known; empty if it is. */
        default Optional<String> whyUnknown() {
            return this instanceof Unknown<T> unknown ? Optional.of(unknown.why()) : Optional.empty();
        }
    }
}
