// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageFileTest {

    @TempDir
    private Path folder;

    /** Broken (the file is cut to nothing and written again): what the reader has is the beginning of another page, or none. */
    @Test
    void whoReadsHasOnePageWhole() throws IOException {
        Path page = Files.writeString(folder.resolve("page.html"), "before");
        Files.setPosixFilePermissions(page, PosixFilePermissions.fromString("rw-r-----"));

        try (InputStream reader = Files.newInputStream(page)) {
            PageFile.write(page, "now");
            assertThat(new String(reader.readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo("before");
        }
        assertThat(page).hasContent("now");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(page)))
                .isEqualTo("rw-r-----");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(page);
        }
    }

    @Test
    void aPageThatIsNotThereYetIsMadeAndALinkStaysOne() throws IOException {
        Path page = folder.resolve("page.html");
        PageFile.write(page, "first");
        Path link = Files.createSymbolicLink(folder.resolve("link.html"), Path.of("page.html"));

        PageFile.write(link, "second");

        assertThat(link).isSymbolicLink();
        assertThat(page).hasContent("second");
    }

    /** As on a full disk: nothing can be written beside it. */
    @Test
    void whereItFailsThePageOfBeforeIsStillThere() throws IOException {
        Path page = Files.writeString(folder.resolve("page.html"), "before");
        Files.createDirectory(folder.resolve(".page.html.part"));

        assertThatThrownBy(() -> PageFile.write(page, "now")).isInstanceOf(IOException.class);
        assertThat(page).hasContent("before");
    }
}
