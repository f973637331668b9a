// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hdfs;

import io.hearth.healer.model.BlockReplicas;
import io.hearth.healer.model.BlockReplicas.BlockId;
import io.hearth.healer.model.BlockReplicas.Replica;
import io.hearth.healer.model.StoreFile;
import io.hearth.healer.spi.FileBlocks.StoreDirectories;
import io.hearth.healer.spi.NameNodeUsage;
import io.hearth.healer.spi.Observed;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.ipc.RPC;
import org.jspecify.annotations.Nullable;

/** Asks the NameNode for files with their blocks and locations. Needs read permission only. Thread-safe. */
final class NameNodeFiles implements StoreDirectories {

    private final DFSClient client;
    private final LocatedFileConverter locatedFileConverter;
    private final NameNodeUsage usage;
    private final BeforeListing beforeListing;
    private final BatchedLookups batched;

    /** What is done before folders and files are asked for. */
    @FunctionalInterface
    interface BeforeListing {

        BeforeListing NOTHING = () -> {};

        void prepare() throws IOException;
    }

    /** @param usage told of each call */
    NameNodeFiles(DFSClient client, BeforeListing beforeListing, DataNodeCache cache, NameNodeUsage usage) {
        this(client, beforeListing, new BatchedListingCall(client), cache, usage);
    }

    NameNodeFiles(
            DFSClient client,
            BeforeListing beforeListing,
            BatchedListing batchedListing,
            DataNodeCache cache,
            NameNodeUsage usage) {
        this.client = client;
        this.usage = usage;
        this.beforeListing = beforeListing;
        this.batched = new BatchedLookups(batchedListing, beforeListing, usage);
        this.locatedFileConverter = new LocatedFileConverter(cache, new StoragePolicies(client::getStoragePolicies));
    }

    /** One call, or a few where the folder has more files or blocks than {@code dfs.ls.limit}. */
    @Override
    public Observed<List<StoreFile>> list(String dirPath) {
        return NameNodeCalls.call(() -> {
            List<HdfsFileStatus> entries = new ArrayList<>();
            boolean isThere = readDir(dirPath, true, entries::add);
            return isThere ? Observed.known(storeFiles(dirPath, entries)) : Observed.gone();
        });
    }

    @Override
    public int foldersAtATime() {
        return batched.foldersAtATime();
    }

    @Override
    public List<Observed<List<StoreFile>>> listAll(List<String> dirPaths) {
        Map<String, Observed<List<HdfsFileStatus>>> answers = batched.folders(dirPaths);
        return dirPaths.stream()
                .map(dir -> {
                    Observed<List<HdfsFileStatus>> answer = answers.get(dir);
                    return answer == null ? list(dir) : converted(answer, entries -> storeFiles(dir, entries));
                })
                .toList();
    }

    private List<StoreFile> storeFiles(String dirPath, List<HdfsFileStatus> entries) throws IOException {
        List<StoreFile> files = new ArrayList<>();
        for (HdfsFileStatus entry : entries) {
            if (entry.isFile() && entry instanceof HdfsLocatedFileStatus located) {
                files.add(locatedFileConverter.storeFile(entry.getFullName(dirPath), located));
            }
        }
        return files;
    }

    private interface Conversion<T, R> {
        R convert(T value) throws IOException;
    }

    private static <T, R> Observed<R> converted(Observed<T> answer, Conversion<T, R> conversion) {
        if (answer instanceof Observed.Known<T> known) {
            return NameNodeCalls.call(() -> Observed.known(conversion.convert(known.value())));
        }
        return answer instanceof Observed.Unknown<T> unknown
                ? Observed.unknown(unknown.reason(), unknown.detail())
                : Observed.gone();
    }

    /** Some thousand names a call ({@code dfs.ls.limit}); without locations the NameNode only copies them. */
    @Override
    public Observed<List<String>> names(String dirPath) {
        return NameNodeCalls.call(() -> {
            List<String> names = new ArrayList<>();
            boolean isThere = readDir(dirPath, false, status -> names.add(status.getLocalName()));
            return isThere ? Observed.known(names) : Observed.gone();
        });
    }

    /** Returns whether the folder is there. */
    private boolean readDir(String dirPath, boolean located, Consumer<HdfsFileStatus> each) throws IOException {
        beforeListing.prepare();
        DirectoryListing page = timed(() -> client.listPaths(dirPath, HdfsFileStatus.EMPTY_NAME, located));
        while (page != null) {
            for (HdfsFileStatus status : page.getPartialListing()) {
                if (status.isFile()) {
                    each.accept(status);
                }
            }
            if (!page.hasMore()) {
                return true;
            }
            byte[] last = page.getLastName();
            page = timed(() -> client.listPaths(dirPath, last, located));
        }
        return false;
    }

    @Override
    public Observed<StoreFile> locate(String path) {
        return NameNodeCalls.call(() -> {
            beforeListing.prepare();
            HdfsLocatedFileStatus status = timed(() -> client.getLocatedFileInfo(path, false));
            return status == null ? Observed.gone() : Observed.known(locatedFileConverter.storeFile(path, status));
        });
    }

    @Override
    public Optional<String> answeringNameNode() {
        try {
            return Optional.of(RPC.getServerAddress(client.getNamenode()).toString());
        } catch (RuntimeException e) {
            // No proxy of Hadoop's RPC.
            return Optional.empty();
        }
    }

    @Override
    public int filesAtATime() {
        return batched.filesAtATime();
    }

    @Override
    public List<Observed<StoreFile>> locateAll(List<String> paths) {
        Map<String, Observed<HdfsLocatedFileStatus>> answers = batched.files(paths);
        return paths.stream()
                .map(path -> {
                    Observed<HdfsLocatedFileStatus> answer = answers.get(path);
                    return answer == null
                            ? locate(path)
                            : converted(answer, status -> locatedFileConverter.storeFile(path, status));
                })
                .toList();
    }

    private interface NameNodeQuestion<T> {
        @Nullable T ask() throws IOException;
    }

    private <T> @Nullable T timed(NameNodeQuestion<T> question) throws IOException {
        long startNanos = System.nanoTime();
        try {
            return question.ask();
        } finally {
            usage.called((System.nanoTime() - startNanos) / 1_000);
        }
    }

    /** Turns HDFS's located file statuses into store files, and notes the DataNodes that they mention. */
    static final class LocatedFileConverter {

        private final DataNodeCache cache;
        private final StoragePolicies policies;

        LocatedFileConverter(DataNodeCache cache, StoragePolicies policies) {
            this.cache = cache;
            this.policies = policies;
        }

        /** @throws IOException if the NameNode can't say what its storage policies are */
        StoreFile storeFile(String path, HdfsLocatedFileStatus status) throws IOException {
            LocatedBlocks blocks = status.getLocatedBlocks();
            boolean complete = !blocks.isUnderConstruction() && blocks.isLastBlockComplete();
            return new StoreFile(
                    path,
                    status.getReplication(),
                    status.getErasureCodingPolicy() != null,
                    complete || blocks.getLocatedBlocks().isEmpty(),
                    policies.wantedTypes(status.getStoragePolicy(), status.getReplication()),
                    status.getModificationTime(),
                    blocks.getLocatedBlocks().stream()
                            .map(block -> blockReplicas(path, block))
                            .toList());
        }

        private BlockReplicas blockReplicas(String path, LocatedBlock located) {
            List<Replica> replicas = new ArrayList<>();
            // Hadoop 3.4 gives each location with its storage type, 3.2 does not; the two arrays go together in both.
            DatanodeInfo[] locations = located.getLocations();
            org.apache.hadoop.fs.StorageType[] types = located.getStorageTypes();
            for (int index = 0; index < locations.length; index++) {
                replicas.add(
                        new Replica(cache.note(locations[index], path), StoragePolicies.storageType(types[index])));
            }
            return new BlockReplicas(
                    blockId(located.getBlock()), located.getBlockSize(), replicas, located.isCorrupt());
        }

        private static BlockId blockId(ExtendedBlock block) {
            return new BlockId(block.getBlockPoolId(), block.getBlockId(), block.getGenerationStamp());
        }
    }
}
