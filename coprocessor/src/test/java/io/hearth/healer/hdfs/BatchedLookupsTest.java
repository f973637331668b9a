// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.healer.spi.NameNodeUsage;
import io.hearth.healer.spi.Observed;
import io.hearth.healer.spi.Observed.UnknownReason;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RpcNoSuchMethodException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BatchedLookupsTest {

    private static final int REPLICAS = 3;

    private final FakeNameNode nameNode = new FakeNameNode();
    private final NameNodeUsage usage = new NameNodeUsage();
    private final BatchedLookups lookups = new BatchedLookups(nameNode, NameNodeFiles.BeforeListing.NOTHING, usage);

    @Test
    void severalFoldersTakeOneCall() {
        nameNode.folder("/a", "x:1", "y:2");
        nameNode.folder("/b");

        Map<String, Observed<List<HdfsFileStatus>>> found = lookups.folders(List.of("/a", "/b", "/c"));

        assertThat(names(found.get("/a"))).containsExactly("x", "y");
        assertThat(names(found.get("/b"))).isEmpty();
        assertThat(found.get("/c")).isEqualTo(Observed.gone());
        assertThat(nameNode.calls).containsExactly("/a /b /c");
        assertThat(usage.calls()).isEqualTo(1);
    }

    @Test
    void whatOnePathIsRefusedForIsNobodyElses() {
        nameNode.folder("/a", "x:1");
        nameNode.failureByPath.put("/b", new AccessControlException("user=hbase, access=READ"));
        nameNode.failureByPath.put("/c", new IllegalStateException("odd"));

        Map<String, Observed<List<HdfsFileStatus>>> found = lookups.folders(List.of("/b", "/a", "/c"));

        assertThat(names(found.get("/a"))).containsExactly("x");
        assertThat(reason(found.get("/b"))).isEqualTo(UnknownReason.NOT_PERMITTED);
        assertThat(reason(found.get("/c"))).isEqualTo(UnknownReason.UNREADABLE);
    }

    @Test
    void filesAreLocatedInOneCallAndAFolderIsNoFile() {
        nameNode.folder("/a", "x:2", "y:1");
        nameNode.failureByPath.put("/a/z", new AccessControlException("no"));

        Map<String, Observed<HdfsLocatedFileStatus>> found =
                lookups.files(List.of("/a/x", "/a", "/a/gone", "/a/y", "/a/x", "/a/z"));

        assertThat(found.get("/a/x").ifKnown().orElseThrow().getLocatedBlocks().locatedBlockCount())
                .isEqualTo(2);
        assertThat(found.get("/a/y").ifKnown()).isPresent();
        assertThat(found.get("/a/gone")).isEqualTo(Observed.gone());
        assertThat(reason(found.get("/a/z"))).isEqualTo(UnknownReason.NOT_PERMITTED);
        assertThat(found).as("to be asked about by itself").doesNotContainKey("/a");
        assertThat(nameNode.calls).containsExactly("/a/x /a /a/gone /a/y /a/z");
    }

    @Test
    void aNameNodeThatIsAwayIsAwayForAllOfThem() {
        nameNode.failure = Optional.of(new ConnectException("refused"));
        Map<String, Observed<List<HdfsFileStatus>>> found = lookups.folders(paths(20));

        assertThat(found.values()).hasSize(20).allMatch(answer -> reason(answer) == UnknownReason.NAMENODE_FAILED);
        assertThat(nameNode.calls).as("not asked again and again").hasSize(1);
        nameNode.failure = Optional.of(remote(new StandbyException("standby")));
        assertThat(lookups.folders(paths(2)).values())
                .hasSize(2)
                .allMatch(answer -> reason(answer) == UnknownReason.NAMENODE_FAILED);
    }

    @Test
    void aCallThatIsRefusedAsAWholeLeavesEachToItself() {
        nameNode.failure = Optional.of(remote(new IOException("an odd one")));

        assertThat(lookups.folders(paths(3))).isEmpty();
        nameNode.failure = Optional.empty();
        assertThat(lookups.folders(paths(3))).hasSize(3);
    }

    @Test
    void aNameNodeWithoutTheCallIsAskedOnce() {
        nameNode.failure = Optional.of(remote(new RpcNoSuchMethodException("Unknown method getBatchedListing")));

        assertThat(lookups.foldersAtATime()).isEqualTo(8);
        assertThat(lookups.folders(paths(3))).isEmpty();
        nameNode.failure = Optional.empty();
        assertThat(lookups.folders(paths(3))).isEmpty();
        assertThat(lookups.files(paths(3))).isEmpty();
        assertThat(nameNode.calls).hasSize(1);
        assertThat(lookups.foldersAtATime()).isEqualTo(1);
        assertThat(lookups.filesAtATime()).isEqualTo(1);
    }

    @Test
    void aRouterAndAnOldClientHaveNoSuchCallEither() {
        nameNode.failure = Optional.of(new RemoteException(UnsupportedOperationException.class.getName(), "router"));
        assertThat(lookups.folders(paths(3))).isEmpty();
        assertThat(lookups.foldersAtATime()).isEqualTo(1);

        BatchedLookups old = new BatchedLookups(
                (paths, startAfter, located) -> {
                    throw new NoSuchMethodError("DFSClient.batchedListPaths");
                },
                NameNodeFiles.BeforeListing.NOTHING,
                usage);
        assertThat(old.files(paths(3))).isEmpty();
        assertThat(old.filesAtATime()).isEqualTo(1);
    }

    @Test
    void aSmallerLimitOfTheNameNodeIsKeptTo() {
        nameNode.mostPaths = 3;
        nameNode.folder("/d7", "x:1");

        assertThat(lookups.folders(paths(20)).values())
                .hasSize(20)
                .allMatch(answer -> answer.ifKnown().isPresent() || answer.equals(Observed.gone()));
        int refused = nameNode.calls.size();
        assertThat(lookups.folders(paths(lookups.foldersAtATime()))).isNotEmpty();
        assertThat(nameNode.calls).hasSize(refused + 1);
    }

    /** HDFS ends a folder's listing at so many locations, and does not say so in an answer for several folders. */
    @Test
    void aFolderThatWasCutShortIsLeftToBeListedByItself() {
        nameNode.listLimit = 150;
        nameNode.folder("/large", "a:30", "b:30", "c:30", "d:1");
        nameNode.folder("/small", "a:3");

        assertThat(lookups.folders(List.of("/large", "/small"))).containsOnlyKeys("/small");
    }

    /** The NameNode ends a call at so many files: the rest of the paths are another call. */
    @Test
    void anAnswerForHalfOfThePathsIsNoReasonToAskForMore() {
        nameNode.listLimit = 10;
        paths(8).forEach(path -> nameNode.folder(path, "a:0", "b:0", "c:0"));

        assertThat(lookups.folders(paths(8))).hasSize(8);
        assertThat(nameNode.calls).hasSizeGreaterThan(1);
        assertThat(lookups.foldersAtATime()).isEqualTo(8);
    }

    @Test
    void aLargeFolderThatIsWholeIsNotAskedForAgainOnceSoManyAreKnownToFit() {
        nameNode.folder("/large", "a:80", "b:80", "c:1");
        nameNode.folder("/large2", "a:80", "b:80");

        assertThat(lookups.folders(List.of("/large", "/large2"))).hasSize(2);
        assertThat(nameNode.calls).containsExactly("/large /large2", "names of /large");
        nameNode.calls.clear();
        assertThat(lookups.folders(List.of("/large2"))).hasSize(1);
        assertThat(nameNode.calls).containsExactly("/large2");
    }

    /** Whatever the limits are, each folder is answered in full or not at all. */
    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void noAnswerLacksAFile(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        nameNode.listLimit = 101 + random.nextInt(200);
        nameNode.mostPaths = 1 + random.nextInt(30);
        for (int folder = 0; folder < 40; folder++) {
            int largest = 1 + random.nextInt(60);
            nameNode.folder(
                    "/d" + folder,
                    IntStream.range(0, random.nextInt(12))
                            .mapToObj(file -> "f" + (10 + file) + ":" + random.nextInt(largest))
                            .toArray(String[]::new));
        }
        for (int round = 0; round < 5; round++) {
            int first = random.nextInt(40);
            List<String> asked =
                    IntStream.range(first, 42).mapToObj(n -> "/d" + n).toList();
            lookups.folders(asked).forEach((path, answer) -> {
                if (nameNode.filesByFolder.containsKey(path)) {
                    assertThat(names(answer))
                            .as("%s of seed %d", path, seed)
                            .isEqualTo(
                                    List.copyOf(nameNode.filesByFolder.get(path).keySet()));
                } else {
                    assertThat(answer).isEqualTo(Observed.gone());
                }
            });
        }
    }

    private static List<String> paths(int count) {
        return IntStream.range(0, count).mapToObj(number -> "/d" + number).toList();
    }

    private static List<String> names(Observed<List<HdfsFileStatus>> answer) {
        return answer.ifKnown().orElseThrow().stream()
                .map(HdfsFileStatus::getLocalName)
                .toList();
    }

    private static UnknownReason reason(Observed<?> answer) {
        assertThat(answer).isInstanceOf(Observed.Unknown.class);
        return ((Observed.Unknown<?>) answer).reason();
    }

    private static RemoteException remote(Exception failure) {
        return new RemoteException(failure.getClass().getName(), failure.getMessage());
    }

    /** {@code FSNamesystem.getBatchedListing}: its limits, its pages and what it does not say. */
    private static final class FakeNameNode implements BatchedListing {

        private final Map<String, TreeMap<String, Integer>> filesByFolder = new TreeMap<>();
        private final Map<String, Exception> failureByPath = new TreeMap<>();
        private final List<String> calls = new ArrayList<>();
        private Optional<IOException> failure = Optional.empty();
        private int mostPaths = 100;
        private int listLimit = 1_000;

        /** @param files each with the number of its blocks */
        void folder(String path, String... files) {
            TreeMap<String, Integer> blocksByName = new TreeMap<>();
            for (String file : files) {
                blocksByName.put(file.split(":", -1)[0], Integer.valueOf(file.split(":", -1)[1]));
            }
            filesByFolder.put(path, blocksByName);
        }

        @Override
        public Page list(String[] paths, byte[] startAfter, boolean located) throws IOException {
            calls.add((located ? "" : "names of ") + String.join(" ", paths));
            if (failure.isPresent()) {
                throw failure.get();
            }
            if (paths.length > mostPaths) {
                throw new RemoteException(IllegalArgumentException.class.getName(), "Too many source paths");
            }
            String[] key = startAfter.length == 0
                    ? new String[] {"0", ""}
                    : new String(startAfter, StandardCharsets.UTF_8).split(" ", -1);
            String after = key[1];
            int entries = 0;
            List<PathListing> listings = new ArrayList<>();
            for (int path = Integer.parseInt(key[0]); path < paths.length; path++) {
                PathListing listing = listing(path, paths[path], after, located);
                listings.add(listing);
                entries += listing.files().size();
                after = "";
                if (entries >= listLimit) {
                    boolean more = listing.files().size() == listLimit;
                    String last =
                            listing.files().get(listing.files().size() - 1).getLocalName();
                    String next = more ? path + " " + last : path + 1 + " ";
                    return new Page(listings, Optional.of(next.getBytes(StandardCharsets.UTF_8)));
                }
            }
            return new Page(listings, Optional.empty());
        }

        private PathListing listing(int number, String path, String after, boolean located) {
            Exception refused = failureByPath.get(path);
            if (refused != null) {
                return new PathListing(number, List.of(), Optional.of(remote(refused)));
            }
            TreeMap<String, Integer> folder = filesByFolder.get(path);
            String parent = path.substring(0, path.lastIndexOf('/'));
            String name = path.substring(path.lastIndexOf('/') + 1);
            if (folder != null) {
                return new PathListing(number, files(folder, after, located), Optional.empty());
            } else if (filesByFolder.getOrDefault(parent, new TreeMap<>()).containsKey(name)) {
                int blocks = filesByFolder.get(parent).get(name);
                return new PathListing(number, List.of(file("", blocks, located)), Optional.empty());
            }
            RemoteException gone = remote(new FileNotFoundException("Path " + path + " does not exist"));
            return new PathListing(number, List.of(), Optional.of(gone));
        }

        private List<HdfsFileStatus> files(TreeMap<String, Integer> folder, String after, boolean located) {
            List<HdfsFileStatus> files = new ArrayList<>();
            int locations = 0;
            for (Map.Entry<String, Integer> file : folder.tailMap(after, false).entrySet()) {
                if (files.size() == listLimit || locations >= listLimit) {
                    break;
                }
                files.add(file(file.getKey(), file.getValue(), located));
                locations += located ? file.getValue() * REPLICAS : 0;
            }
            return files;
        }

        private static HdfsFileStatus file(String name, int blocks, boolean located) {
            HdfsFileStatus.Builder file = new HdfsFileStatus.Builder()
                    .length(100)
                    .replication(REPLICAS)
                    .path(name.getBytes(StandardCharsets.UTF_8));
            return (located ? file.locations(located(blocks)) : file).build();
        }

        private static LocatedBlocks located(int blocks) {
            List<LocatedBlock> located = IntStream.range(0, blocks)
                    .mapToObj(block ->
                            new LocatedBlock(new ExtendedBlock("pool", block, 1, 1), new DatanodeInfoWithStorage[0]))
                    .toList();
            return new LocatedBlocks(100, false, located, null, true, null, null);
        }
    }
}
