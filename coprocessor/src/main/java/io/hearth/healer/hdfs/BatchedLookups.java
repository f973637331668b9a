// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hdfs;

import io.hearth.healer.hdfs.BatchedListing.Page;
import io.hearth.healer.hdfs.BatchedListing.PathListing;
import io.hearth.healer.hdfs.NameNodeFiles.BeforeListing;
import io.hearth.healer.spi.NameNodeUsage;
import io.hearth.healer.spi.Observed;
import io.hearth.healer.spi.Observed.UnknownReason;
import io.hearth.healer.throttle.BatchSize;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.ipc.RemoteException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks several paths up by one call of the NameNode, as many as {@link BatchSize} allows, where the client and the NameNode have such
 * a call; from the first answer on that they have not, nothing is looked up here. Each path has an answer of its own. Thread-safe.
 *
 * <p>A listing with locations ends when it has {@code dfs.ls.limit} of them, and a batched one does not say that it did (HDFS 3.3 to
 * 3.5). So a folder with more locations than are known to fit is checked by its names, which have no such limit.
 */
final class BatchedLookups {

    private static final Logger LOG = LoggerFactory.getLogger(BatchedLookups.class);

    /** A tenth of HDFS's default of {@code dfs.ls.limit}. */
    private static final int FITTING_LOCATIONS = 100;

    private static final Set<String> NO_SUCH_CALL =
            Set.of("org.apache.hadoop.ipc.RpcNoSuchMethodException", UnsupportedOperationException.class.getName());

    private final BatchedListing call;
    private final BeforeListing beforeListing;
    private final NameNodeUsage usage;
    private final BatchSize folders = new BatchSize();
    private final BatchSize folderNames = new BatchSize();
    private final BatchSize files = new BatchSize();
    private final AtomicInteger fitting = new AtomicInteger(FITTING_LOCATIONS);
    private volatile boolean unsupported;

    BatchedLookups(BatchedListing call, BeforeListing beforeListing, NameNodeUsage usage) {
        this.call = call;
        this.beforeListing = beforeListing;
        this.usage = usage;
    }

    /** The most folders that one call may list now. */
    int foldersAtATime() {
        return unsupported ? 1 : folders.paths();
    }

    /** The most files that one call may locate now. */
    int filesAtATime() {
        return unsupported ? 1 : files.paths();
    }

    /** What lies in each of these folders, with locations; a folder without an answer is to be listed by itself. */
    Map<String, Observed<List<HdfsFileStatus>>> folders(List<String> paths) {
        Map<String, Observed<List<HdfsFileStatus>>> found = lookUp(paths, true, folders);
        Map<String, Observed<List<HdfsFileStatus>>> doubtful = new LinkedHashMap<>(found);
        doubtful.values().removeIf(answer -> fits(answer.ifKnown().orElse(List.of())));
        if (!doubtful.isEmpty()) {
            Map<String, Observed<List<HdfsFileStatus>>> names =
                    lookUp(List.copyOf(doubtful.keySet()), false, folderNames);
            doubtful.entrySet().removeIf(located -> isWhole(located.getValue(), names.get(located.getKey())));
            found.keySet().removeAll(doubtful.keySet());
        }
        return found;
    }

    /** Each of these files, with locations; a file without an answer is to be located by itself. */
    Map<String, Observed<HdfsLocatedFileStatus>> files(List<String> paths) {
        Map<String, Observed<HdfsLocatedFileStatus>> located = new LinkedHashMap<>();
        lookUp(paths, true, files).forEach((path, answer) -> {
            if (answer instanceof Observed.Unknown<List<HdfsFileStatus>> unknown) {
                located.put(path, Observed.unknown(unknown.reason(), unknown.detail()));
            } else if (answer instanceof Observed.Gone<List<HdfsFileStatus>>) {
                located.put(path, Observed.gone());
            } else {
                onlyFile(answer.ifKnown().orElse(List.of())).ifPresent(file -> located.put(path, Observed.known(file)));
            }
        });
        return located;
    }

    /** A file is listed as the one entry of itself, which has no name. */
    private static Optional<HdfsLocatedFileStatus> onlyFile(List<HdfsFileStatus> entries) {
        return entries.stream()
                .filter(entry -> entries.size() == 1 && entry.isFile() && entry.isEmptyLocalName())
                .filter(HdfsLocatedFileStatus.class::isInstance)
                .map(HdfsLocatedFileStatus.class::cast)
                .findFirst();
    }

    /** Whether a listing has so few locations that it was not cut short. What was listed before its last file did fit. */
    private boolean fits(List<HdfsFileStatus> listed) {
        int all = listed.stream().mapToInt(BatchedLookups::locations).sum();
        int last = listed.isEmpty() ? 0 : locations(listed.get(listed.size() - 1));
        return all <= fitting.accumulateAndGet(all - last, Math::max);
    }

    /** As {@code FSDirStatAndListingOp} counts them. */
    private static int locations(HdfsFileStatus file) {
        LocatedBlocks blocks = file instanceof HdfsLocatedFileStatus located ? located.getLocatedBlocks() : null;
        ErasureCodingPolicy coding = file.getErasureCodingPolicy();
        int each = coding == null ? file.getReplication() : coding.getNumDataUnits() + coding.getNumParityUnits();
        return blocks == null ? 0 : blocks.locatedBlockCount() * each;
    }

    private static boolean isWhole(
            Observed<List<HdfsFileStatus>> located, @Nullable Observed<List<HdfsFileStatus>> named) {
        Set<String> listed = names(located);
        return named instanceof Observed.Known && listed.containsAll(names(named));
    }

    private static Set<String> names(Observed<List<HdfsFileStatus>> listing) {
        return listing.ifKnown().stream()
                .flatMap(List::stream)
                .map(HdfsFileStatus::getLocalName)
                .collect(Collectors.toUnmodifiableSet());
    }

    private Map<String, Observed<List<HdfsFileStatus>>> lookUp(List<String> paths, boolean located, BatchSize size) {
        Map<String, Observed<List<HdfsFileStatus>>> answers = new LinkedHashMap<>();
        List<String> distinct = paths.stream().distinct().toList();
        int next = 0;
        while (next < distinct.size() && !unsupported) {
            List<String> asked = distinct.subList(next, Math.min(distinct.size(), next + size.paths()));
            try {
                answers.putAll(ask(asked, located, size));
                next += asked.size();
            } catch (IOException failure) {
                if (asked.size() > 1 && isThrown(failure, Set.of(IllegalArgumentException.class.getName()))) {
                    size.refused(asked.size());
                } else {
                    failed(failure, distinct.subList(next, distinct.size()), answers);
                    next = distinct.size();
                }
            } catch (UnsupportedOperationException | LinkageError failure) {
                giveUp(failure);
            }
        }
        return answers;
    }

    /** A whole call has failed. Where that is not for want of a NameNode, one path may have spoilt it for the others. */
    private void failed(IOException failure, List<String> paths, Map<String, Observed<List<HdfsFileStatus>>> answers) {
        Observed<List<HdfsFileStatus>> answer = failed(failure);
        if (isThrown(failure, NO_SUCH_CALL)) {
            giveUp(failure);
        } else if (answer instanceof Observed.Unknown<List<HdfsFileStatus>> unknown
                && unknown.reason() == UnknownReason.NAMENODE_FAILED) {
            paths.forEach(path -> answers.put(path, answer));
        }
    }

    private void giveUp(Throwable failure) {
        if (!unsupported) {
            LOG.info(
                    "Store folders and files are looked up one at a time: the NameNode, or this Hadoop client, can't list"
                            + " several at once, which Hadoop 3.3 and later can ({}).",
                    NameNodeCalls.firstLine(failure));
        }
        unsupported = true;
    }

    private static boolean isThrown(IOException failure, Set<String> classNames) {
        return failure instanceof RemoteException remote && classNames.contains(remote.getClassName());
    }

    private static <T> Observed<T> failed(IOException failure) {
        return NameNodeCalls.call(() -> {
            throw failure;
        });
    }

    private Map<String, Observed<List<HdfsFileStatus>>> ask(List<String> asked, boolean located, BatchSize size)
            throws IOException {
        String[] paths = asked.toArray(String[]::new);
        Map<String, Observed<List<HdfsFileStatus>>> answers = new LinkedHashMap<>();
        Optional<byte[]> startAfter = Optional.of(HdfsFileStatus.EMPTY_NAME);
        while (startAfter.isPresent()) {
            Page page = timed(paths, startAfter.get(), located, size);
            page.listings()
                    .forEach(listing -> answers.merge(paths[listing.path()], answer(listing), BatchedLookups::both));
            startAfter = page.next();
        }
        return answers;
    }

    private Page timed(String[] paths, byte[] startAfter, boolean located, BatchSize size) throws IOException {
        // Its time is not the listing's, by which the number of paths is found.
        beforeListing.prepare();
        long startNanos = System.nanoTime();
        int listed = 0;
        try {
            Page page = call.list(paths, startAfter, located);
            listed = page.listings().size();
            return page;
        } finally {
            long micros = (System.nanoTime() - startNanos) / 1_000;
            usage.called(micros);
            if (listed > 0) {
                // A page may be for some of the paths only, and was as quick or as slow as those make it.
                size.answered(listed, micros);
            }
        }
    }

    private static Observed<List<HdfsFileStatus>> answer(PathListing listing) {
        return listing.failure()
                .<Observed<List<HdfsFileStatus>>>map(BatchedLookups::failed)
                .orElseGet(() -> Observed.known(listing.files()));
    }

    /** A folder's files can come in two answers. */
    private static Observed<List<HdfsFileStatus>> both(
            Observed<List<HdfsFileStatus>> before, Observed<List<HdfsFileStatus>> next) {
        if (before instanceof Observed.Known<List<HdfsFileStatus>> first
                && next instanceof Observed.Known<List<HdfsFileStatus>> second) {
            List<HdfsFileStatus> files = new ArrayList<>(first.value());
            files.addAll(second.value());
            return Observed.known(files);
        }
        return before instanceof Observed.Known ? next : before;
    }
}
