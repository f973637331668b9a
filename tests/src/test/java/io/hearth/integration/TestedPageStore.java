// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Which store the read cache of the tests keeps its pages in, and how these lie on the SSD. */
enum TestedPageStore {

    /** A sparse file for a block's data, and one for the copy of its meta file. */
    OWN("pages") {

        @Override
        Map<String, String> settings() {
            return Map.of();
        }

        @Override
        Path fileOf(Path copy) {
            return copy;
        }

        @Override
        void fill(Path data, int page) throws IOException {
            Files.delete(data);
            Files.createSymbolicLink(data, FULL);
        }
    },

    /** A folder for each of them, with a file for each page. */
    ALLUXIO("1048576") {

        @Override
        Map<String, String> settings() {
            return Map.of("hearth.datanode.cache.alluxio.dir", System.getProperty(ALLUXIO_FOLDER));
        }

        @Override
        Path fileOf(Path copy) {
            return copy.getParent();
        }

        @Override
        void fill(Path data, int page) throws IOException {
            Files.createSymbolicLink(data.resolveSibling("" + page), FULL);
        }
    };

    /** The system property with the folder of Alluxio's jars, which the profile {@code alluxio} sets. */
    private static final String ALLUXIO_FOLDER = "hearth.test.alluxio.dir";

    private static final Path FULL = Path.of("/dev/full");

    private final String folder;

    TestedPageStore(String folder) {
        this.folder = folder;
    }

    static TestedPageStore configured() {
        return System.getProperty(ALLUXIO_FOLDER) == null ? OWN : ALLUXIO;
    }

    /** What chooses it in hdfs-site.xml. */
    abstract Map<String, String> settings();

    /** What has all pages of which this file has some. */
    abstract Path fileOf(Path copy);

    /** From now on this page of a block can't be written: the SSD is full. Only the first page was, to that file. */
    abstract void fill(Path data, int page) throws IOException;

    /** The data and the copies of meta files on the SSD, two for each block. */
    List<Path> files(Path ssd) throws IOException {
        return copies(ssd).stream().map(this::fileOf).distinct().toList();
    }

    /** The files on the SSD that have blocks' data or copies of their meta files, without those that go meanwhile. */
    List<Path> copies(Path ssd) throws IOException {
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(ssd.resolve("hearth-read-cache").resolve(folder), new SimpleFileVisitor<>() {

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (Files.isRegularFile(file)) {
                    found.add(file);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
                if (failure instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw failure;
            }
        });
        return found;
    }
}
