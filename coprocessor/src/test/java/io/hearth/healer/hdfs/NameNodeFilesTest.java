// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyBoolean;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.hearth.healer.hdfs.BatchedListing.Page;
import io.hearth.healer.hdfs.BatchedListing.PathListing;
import io.hearth.healer.model.StoreFile;
import io.hearth.healer.spi.NameNodeUsage;
import io.hearth.healer.spi.Observed;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.junit.jupiter.api.Test;

class NameNodeFilesTest {

    private final DFSClient client = mock(DFSClient.class);
    private final NameNodeUsage usage = new NameNodeUsage();
    private boolean isSlow;
    private final NameNodeFiles files = new NameNodeFiles(
            client, NameNodeFiles.BeforeListing.NOTHING, this::emptyFolders, new DataNodeCache(() -> 0), usage);

    private Page emptyFolders(String[] paths, byte[] startAfter, boolean located) {
        if (isSlow) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(25));
        }
        return new Page(
                IntStream.range(0, paths.length)
                        .mapToObj(path -> new PathListing(path, List.of(), Optional.empty()))
                        .toList(),
                Optional.empty());
    }

    @Test
    void whatIsNoProxyDoesNotSayWhichNameNodeAnswers() {
        assertThat(files.answeringNameNode()).isEmpty();
    }

    @Test
    void aNameNodeThatWasSlowIsAskedForMoreAtATimeAgain() {
        isSlow = true;
        for (int call = 0; call < 20 && files.foldersAtATime() > 1; call++) {
            files.listAll(paths(files.foldersAtATime()));
        }
        assertThat(files.foldersAtATime()).isEqualTo(1);

        isSlow = false;
        for (int call = 0; call < 20; call++) {
            files.listAll(paths(files.foldersAtATime()));
        }
        assertThat(files.foldersAtATime()).isGreaterThan(1);
    }

    @Test
    void whatCanNotBeLookedUpTogetherIsAskedForByItself() throws IOException {
        NameNodeFiles old = new NameNodeFiles(
                client,
                NameNodeFiles.BeforeListing.NOTHING,
                (paths, startAfter, located) -> {
                    throw new UnsupportedOperationException();
                },
                new DataNodeCache(() -> 0),
                usage);
        when(client.listPaths(eq("/d0"), any(), anyBoolean()))
                .thenReturn(new DirectoryListing(new HdfsFileStatus[0], 0));

        List<Observed<List<StoreFile>>> answers = old.listAll(paths(2));

        assertThat(answers).containsExactly(Observed.known(List.of()), Observed.gone());
        assertThat(old.locateAll(List.of("/f"))).containsExactly(Observed.gone());
        assertThat(usage.calls()).as("one more that found out").isEqualTo(4);
    }

    private static List<String> paths(int count) {
        return IntStream.range(0, count).mapToObj(number -> "/d" + number).toList();
    }
}
