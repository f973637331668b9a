// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.readers;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/** Hadoop's native library, which short-circuit reads need and which Hadoop's own artifacts do not hold: from a jar that does. */
public final class NativeHadoopLibrary {

    private static final String LIBRARY = "libhadoop.so";

    private NativeHadoopLibrary() {}

    /** The folder with the library, unpacked from a jar in it; absent if there is no jar there, or none for this machine. */
    public static Optional<Path> unpack(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return Optional.empty();
        }
        try (Stream<Path> files = Files.list(folder)) {
            Optional<Path> jar =
                    files.filter(file -> file.toString().endsWith(".jar")).findFirst();
            return jar.isPresent() && unpack(jar.get(), folder.resolve(LIBRARY))
                    ? Optional.of(folder)
                    : Optional.empty();
        }
    }

    private static boolean unpack(Path jar, Path library) throws IOException {
        String machine = System.getProperty("os.name") + "-" + System.getProperty("os.arch");
        try (JarFile opened = new JarFile(jar.toFile())) {
            ZipEntry entry = opened.getEntry("nativelib/" + machine + "/" + LIBRARY);
            if (entry == null) {
                return false;
            }
            try (InputStream content = opened.getInputStream(entry)) {
                Files.copy(content, library, StandardCopyOption.REPLACE_EXISTING);
            }
            return true;
        }
    }
}
