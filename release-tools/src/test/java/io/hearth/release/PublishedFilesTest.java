// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sums, and signatures by a key that is made for the test and goes with it. */
class PublishedFilesTest {

    private static final String KEY = "Hearth test <test@hearth.invalid>";

    @TempDir
    private Path temp;

    /** A short path: a socket's name has a hundred characters. */
    private Path keys;

    private Path folder;
    private Map<String, Path> files;

    @BeforeEach
    void files() throws IOException {
        keys = Files.createTempDirectory(Path.of("/tmp"), "hg");
        folder = temp.resolve("release");
        Path tarball = Files.writeString(temp.resolve("made.tar.gz"), "the tarball\n");
        Path bill = Files.writeString(temp.resolve("made.json"), "the bill\n");
        files = Map.of("hearth-1-bin.tar.gz", tarball, "hearth-1-sbom.json", bill);
    }

    @AfterEach
    void theAgentOfTheTestsKeysEnds() throws Exception {
        if (isGpgThere()) {
            run("gpgconf", "--kill", "all");
        }
        try (Stream<Path> left = Files.walk(keys)) {
            for (Path one : left.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.deleteIfExists(one);
            }
        }
    }

    @Test
    void eachFileHasItsSumAsSha512sumReadsIt() throws Exception {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("of-the-last-build.txt"), "gone");

        assertThat(new PublishedFiles(folder, Map.of()).publish(files, ""))
                .isEqualTo("Not signed: no key is named. Whoever releases sets -Dhearth.release.key to one of"
                        + " gpg --list-secret-keys.");

        assertThat(names()).containsExactly("SHA512SUMS", "hearth-1-bin.tar.gz", "hearth-1-sbom.json");
        assertThat(folder.resolve("hearth-1-bin.tar.gz")).hasContent("the tarball\n");
        assertThat(Files.readAllLines(folder.resolve("SHA512SUMS")))
                .containsExactly(
                        "ad3ecc01a04d533ea88dcebc5026acf01528b0e09c39aac9340bb1223113ff62eef0bf3a98e2a416f3e9cdc5a8dd5d505bf720f2c8fa8c4e774003f0678744db"
                                + "  hearth-1-bin.tar.gz",
                        "fd6315d91bcdff5d87b460dcb3428f540b463074868e9460d84f60c9e409cfcd4a5ac4bbe711634b900e97abb83ffc28688fb06e46bb0689c7fd6ac68fc64c5e"
                                + "  hearth-1-sbom.json");
    }

    @Test
    void withAKeyEachFileHasASignatureThatHolds() throws Exception {
        assumeTrue(isGpgThere(), "gpg is not installed: nothing can be signed");
        run("gpg", "--batch", "--passphrase", "", "--quick-gen-key", KEY, "ed25519", "sign", "never");

        assertThat(new PublishedFiles(folder, environment()).publish(files, KEY))
                .isEqualTo("3 files are signed with the key " + KEY + ".");

        assertThat(names())
                .containsExactly(
                        "SHA512SUMS",
                        "SHA512SUMS.asc",
                        "hearth-1-bin.tar.gz",
                        "hearth-1-bin.tar.gz.asc",
                        "hearth-1-sbom.json",
                        "hearth-1-sbom.json.asc");
        for (String name : names()) {
            if (!name.endsWith(".asc")) {
                assertThat(verify(name)).as(name).isZero();
            }
        }
        Files.writeString(folder.resolve("hearth-1-sbom.json"), "another bill\n");
        assertThat(verify("hearth-1-sbom.json")).as("a file that was changed").isNotZero();
    }

    @Test
    void aKeyThatIsNotThereIsNoSignatureLeftOut() throws Exception {
        assumeTrue(isGpgThere(), "gpg is not installed: nothing can be signed");

        assertThatThrownBy(() -> new PublishedFiles(folder, environment()).publish(files, KEY))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("gpg can't sign hearth-1-bin.tar.gz with the key " + KEY + ": ");
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private Map<String, String> environment() {
        return Map.of("GNUPGHOME", keys.toString());
    }

    private int verify(String name) throws Exception {
        return run(
                "gpg",
                "--batch",
                "--verify",
                folder.resolve(name + ".asc").toString(),
                folder.resolve(name).toString());
    }

    private int run(String... command) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(temp.resolve("gpg.log").toFile());
        builder.environment().putAll(environment());
        return builder.start().waitFor();
    }

    private static boolean isGpgThere() {
        return Arrays.stream(System.getenv("PATH").split(":"))
                .anyMatch(place -> Files.isExecutable(Path.of(place, "gpg")));
    }
}
