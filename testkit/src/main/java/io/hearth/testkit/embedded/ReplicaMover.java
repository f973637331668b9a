// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.embedded;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.Sender;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenSecretManager;

/**
 * Moves replicas of a file's blocks to a host, by the DataNode's replaceBlock: just enough for a test and a benchmark. It knows nothing of
 * Hearth's healer.
 */
public final class ReplicaMover {
    private final DistributedFileSystem fileSystem;

    public ReplicaMover(DistributedFileSystem fileSystem) {
        this.fileSystem = fileSystem;
    }

    /** Moves a replica that shares its rack with another; returns how many were moved. */
    public int makeLocal(Path file, String hostName) throws IOException {
        return makeLocal(file, hostName, ReplicaMover::sharingItsRack);
    }

    /** Moves the replica of the other host wherever it has one; returns how many were moved. */
    public int makeLocalFrom(Path file, String hostName, String sourceName) throws IOException {
        return makeLocal(file, hostName, holders -> holders.stream()
                .filter(holder -> holder.getHostName().equals(sourceName))
                .findFirst()
                .orElseGet(() -> sharingItsRack(holders)));
    }

    private int makeLocal(
            Path file, String hostName, Function<List<DatanodeInfoWithStorage>, DatanodeInfoWithStorage> source)
            throws IOException {
        int moved = 0;
        DatanodeInfo target =
                live(node -> node.getHostName().equals(hostName)).findFirst().orElseThrow();
        for (LocatedBlock block : blocks(file)) {
            List<DatanodeInfoWithStorage> holders = List.of(block.getLocations());
            if (holders.stream().noneMatch(holder -> holder.getHostName().equals(hostName))) {
                move(block, source.apply(holders), target);
                moved++;
            }
        }
        return moved;
    }

    /**
     * Moves the replica of the source for every so many blocks, from the first one on, to one of the targets that has none; returns how
     * many were moved.
     */
    public int moveSome(Path file, int every, String sourceName, Set<String> targetNames) throws IOException {
        int moved = 0;
        List<LocatedBlock> blocks = blocks(file);
        for (int index = 0; index < blocks.size(); index += every) {
            List<DatanodeInfoWithStorage> holders = List.of(blocks.get(index).getLocations());
            Set<String> holderNames =
                    holders.stream().map(DatanodeInfo::getHostName).collect(Collectors.toSet());
            DatanodeInfoWithStorage source = holders.stream()
                    .filter(holder -> holder.getHostName().equals(sourceName))
                    .findFirst()
                    .orElseThrow();
            DatanodeInfo target = live(node ->
                            targetNames.contains(node.getHostName()) && !holderNames.contains(node.getHostName()))
                    .findFirst()
                    .orElseThrow();
            move(blocks.get(index), source, target);
            moved++;
        }
        return moved;
    }

    private Stream<DatanodeInfo> live(Predicate<DatanodeInfo> which) throws IOException {
        return Arrays.stream(fileSystem.getClient().datanodeReport(DatanodeReportType.LIVE))
                .filter(which);
    }

    private List<LocatedBlock> blocks(Path file) throws IOException {
        return fileSystem
                .getClient()
                .getLocatedBlocks(file.toUri().getPath(), 0, Long.MAX_VALUE)
                .getLocatedBlocks();
    }

    /** The holder that can go without a rack going with it. */
    private static DatanodeInfoWithStorage sharingItsRack(List<DatanodeInfoWithStorage> holders) {
        return holders.stream()
                .filter(holder -> holders.stream()
                                .filter(other -> other.getNetworkLocation().equals(holder.getNetworkLocation()))
                                .count()
                        > 1)
                .findFirst()
                .orElse(holders.get(0));
    }

    private static void move(LocatedBlock block, DatanodeInfoWithStorage source, DatanodeInfo target)
            throws IOException {
        try (Socket socket = new Socket(target.getIpAddr(), target.getXferPort());
                DataOutputStream out = new DataOutputStream(socket.getOutputStream());
                DataInputStream in = new DataInputStream(socket.getInputStream())) {
            new Sender(out)
                    .replaceBlock(
                            block.getBlock(),
                            source.getStorageType(),
                            BlockTokenSecretManager.DUMMY_TOKEN,
                            source.getDatanodeUuid(),
                            source,
                            null);
            BlockOpResponseProto response;
            do {
                response = BlockOpResponseProto.parseFrom(PBHelperClient.vintPrefixed(in));
            } while (response.getStatus() == Status.IN_PROGRESS);
            if (response.getStatus() != Status.SUCCESS) {
                throw new IOException("replaceBlock " + block.getBlock() + ": " + response.getMessage());
            }
        }
    }
}
