// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.hbase;

import io.hearth.doctor.model.DataNodeMetrics;
import io.hearth.doctor.model.DataNodeMetrics.PendingDeletions;
import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.apache.hbase.thirdparty.com.google.gson.stream.JsonReader;

/** The beans in which a DataNode of stock HDFS shows how it fares, and what of them the doctor reads. Stateless. */
final class DataNodeBeans {

    static final String INFO = "Hadoop:service=DataNode,name=DataNodeInfo";
    static final String VERSION = "SoftwareVersion";
    static final String RPC_PORT = "RpcPort";

    /** Its name ends with the host and the port. Where several processes are in one JVM it has another service's name. */
    static final String ACTIVITY = "Hadoop:service=DataNode,name=DataNodeActivity-*";

    /** There are two, one with the DataNode's UUID behind its name. */
    static final String DATASET = "Hadoop:service=DataNode,name=FSDatasetState*";

    private static final String XCEIVERS = "XceiverCount";
    private static final String SLOW_DISKS = "SlowDisks";
    private static final String FAILED_VOLUMES = "NumFailedVolumes";
    private static final String ACK_NANOS = "PacketAckRoundTripTimeNanosAvgTime";
    private static final String ACKS = "PacketAckRoundTripTimeNanosNumOps";
    private static final String FLUSHES = "FlushNanosNumOps";
    private static final String FLUSH_NANOS = "FlushNanosAvgTime";
    private static final String PENDING = "PendingReplicas";
    private static final String MOST_PENDING = "MaxReplicas";
    private static final String PENDING_BYTES = "PendingBytes";
    private static final String MOST_PENDING_BYTES = "MaxBytes";
    private static final double NANOS_PER_MS = 1_000_000;
    private static final int MIN_SAMPLES = 1_000;

    /** More volumes no DataNode has. */
    private static final int MAX_VOLUMES = 1_000;

    /** What is read of {@link #INFO}. */
    static final Set<String> OF_INFO = Set.of(VERSION, RPC_PORT, XCEIVERS, SLOW_DISKS);

    private DataNodeBeans() {}

    /** How this DataNode fares; one that has not given {@link #INFO} is asked nothing more. */
    static ProbeResult<DataNodeMetrics> metrics(
            InfoServerClient ui, ProbeResult<Map<String, String>> info, boolean hasHearthsDataset) {
        if (info instanceof ProbeResult.Unknown<Map<String, String>> unknown) {
            return ProbeResult.unknown(unknown.why());
        }
        Map<String, String> told = info.ifKnown().orElseThrow();
        ProbeResult<Long> failed =
                ui.counts(DATASET, Set.of(FAILED_VOLUMES), count -> count.applyAsLong(FAILED_VOLUMES));
        if (failed instanceof ProbeResult.Unknown<Long> unknown) {
            return ProbeResult.unknown(unknown.why());
        }
        try {
            return ProbeResult.known(new DataNodeMetrics(
                    BoundedJsonReader.count(told.getOrDefault(XCEIVERS, "")),
                    failed.ifKnown().orElseThrow(),
                    meanMs(ui, ACK_NANOS, ACKS),
                    meanMs(ui, FLUSH_NANOS, FLUSHES),
                    volumes(told.getOrDefault(SLOW_DISKS, "")),
                    hasHearthsDataset ? pendingDeletions(ui) : Optional.empty()));
        } catch (IOException | IllegalStateException | NumberFormatException notWhatWeKnow) {
            return ProbeResult.unknown("its web UI answers what the doctor can't read");
        }
    }

    /** A mean of few says nothing; HDFS compares none below as many either. */
    private static OptionalDouble meanMs(InfoServerClient ui, String nanos, String samples) {
        return ui.counts(
                        ACTIVITY,
                        Set.of(nanos, samples),
                        count -> count.applyAsLong(samples) < MIN_SAMPLES
                                ? OptionalDouble.empty()
                                : OptionalDouble.of(count.applyAsLong(nanos) / NANOS_PER_MS))
                .ifKnown()
                .orElseGet(OptionalDouble::empty);
    }

    private static Optional<PendingDeletions> pendingDeletions(InfoServerClient ui) {
        return ui.counts(
                        DeletionDelayBean.NAME,
                        Set.of(PENDING, MOST_PENDING, PENDING_BYTES, MOST_PENDING_BYTES),
                        count -> new PendingDeletions(
                                count.applyAsLong(PENDING),
                                count.applyAsLong(MOST_PENDING),
                                count.applyAsLong(PENDING_BYTES),
                                count.applyAsLong(MOST_PENDING_BYTES)))
                .ifKnown();
    }

    /** The attribute is a text that is JSON again, a list; {@code null}, and so missing, where disks are not measured. */
    private static List<String> volumes(String text) throws IOException {
        List<String> volumes = new ArrayList<>();
        if (text.isEmpty()) {
            return volumes;
        }
        try (JsonReader json = new JsonReader(new StringReader(text))) {
            json.beginArray();
            while (json.hasNext() && volumes.size() < MAX_VOLUMES) {
                volumes.add(BoundedJsonReader.printable(json.nextString()));
            }
        }
        return volumes;
    }
}
