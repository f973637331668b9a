package io.hearth.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;

/** What the jar that goes onto HBase's class path holds: our classes, picocli under our name, and nothing else. */
class JarContentsIT {

    private static final Path JAR = Path.of("..", "coprocessor", "target", "hearth-coprocessor.jar");
    private static final String OWN_PICOCLI = "io/hearth/cli/picocli/";

    @Test
    void thereIsNothingOfOthersInItButPicocliUnderOurName() throws IOException {
        try (JarFile jar = new JarFile(JAR.toFile())) {
            List<String> files = jar.stream()
                    .filter(entry -> !entry.isDirectory())
                    .map(ZipEntry::getName)
                    .toList();

            assertThat(files)
                    .contains(OWN_PICOCLI + "CommandLine.class", "io/hearth/cli/Main.class")
                    .allMatch(name -> name.startsWith("io/hearth/") || name.startsWith("META-INF/"))
                    .noneMatch(name -> name.startsWith("io/hearth/balancer/"))
                    .noneMatch(name -> name.startsWith("META-INF/services/") || name.contains("module-info"));
            assertThat(files.stream()
                            .filter(name -> name.startsWith("io/hearth/cli/") && !name.startsWith(OWN_PICOCLI))
                            .filter(name -> text(jar, name).contains("Lpicocli/")))
                    .as("classes that still know picocli by its own name")
                    .isEmpty();
        }
    }

    private static String text(JarFile jar, String name) {
        try {
            return new String(jar.getInputStream(jar.getEntry(name)).readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
    }
}
