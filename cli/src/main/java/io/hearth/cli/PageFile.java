// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * Writes a page that others may be reading, such as a web server: they have the one of before or the new one, whole, and a full disk leaves
 * the one of before. A link stays one. Stateless.
 */
final class PageFile {

    private PageFile() {}

    /** @param file written to as it is where it is no regular file, such as a pipe, or leads nowhere, or nothing can be put beside it */
    static void write(Path file, String page) throws IOException {
        boolean isThere = Files.exists(file);
        if (isThere ? !Files.isRegularFile(file) : Files.isSymbolicLink(file)) {
            Files.writeString(file, page);
            return;
        }
        Path target = isThere ? file.toRealPath() : file.toAbsolutePath();
        if (isThere && !Files.isWritable(target.resolveSibling(""))) {
            Files.writeString(target, page);
            return;
        }
        Path part = target.resolveSibling("." + target.getFileName() + ".part");
        try {
            Files.writeString(part, page);
            if (isThere) {
                Files.setPosixFilePermissions(part, Files.getPosixFilePermissions(target));
            }
            Files.move(part, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException failure) {
            if (Files.isRegularFile(part)) {
                Files.delete(part);
            }
            throw failure;
        }
    }
}
