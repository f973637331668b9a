// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.datanode.foreign.ForeignPageStores;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IsolatedPageStoreFactoryTest {

    private static final String ADVICE =
            ". Put store.jar and the jars that it needs there, or set a.key to none: the read cache then keeps its pages itself.";
    private static final Map<String, byte[]> FACTORY = Map.of(
            "META-INF/services/" + PageStoreFactory.class.getName(),
            ForeignPageStores.class.getName().getBytes(StandardCharsets.UTF_8),
            nameOf(ForeignPageStores.class),
            bytesOf(ForeignPageStores.class));
    private static final Map<String, byte[]> LIBRARY =
            Map.of(nameOf(ForeignPageStores.Library.class), bytesOf(ForeignPageStores.Library.class));

    @TempDir
    private Path folder;

    private Path jars;
    private IsolatedPageStoreFactory stores;

    @BeforeEach
    void aFolderWithoutJars() throws IOException {
        jars = Files.createDirectory(folder.resolve("jars"));
        stores = new IsolatedPageStoreFactory(jars, "a.key", "store.jar");
    }

    private static String nameOf(Class<?> type) {
        return type.getName().replace('.', '/') + ".class";
    }

    private static byte[] bytesOf(Class<?> type) {
        try (InputStream in = type.getClassLoader().getResourceAsStream(nameOf(type))) {
            return in.readAllBytes();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private void writeJar(String name, Map<String, byte[]> files) throws IOException {
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(jars.resolve(name)))) {
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                jar.putNextEntry(new JarEntry(file.getKey()));
                jar.write(file.getValue());
            }
        }
    }

    private String nameOfOpened() throws IOException {
        Path own = Files.createTempDirectory(folder, "own");
        try (PageStore store = stores.open(own)) {
            assertThat(store).isInstanceOf(LocalPageStore.class);
            try (var made = Files.list(own)) {
                return made.findFirst().orElseThrow().getFileName().toString();
            }
        }
    }

    /** slf4j and the interface are the DataNode's, and nothing else is. */
    @Test
    void theJarsSeeNoClassOfHadoop() throws IOException {
        writeJar("store.jar", FACTORY);
        writeJar("library.jar", LIBRARY);

        String seen = nameOfOpened();
        assertThat(seen).startsWith("true false false ").doesNotEndWith(" " + ForeignPageStores.class.hashCode());
        assertThat(nameOfOpened()).as("the same class at the next opening").isEqualTo(seen);
    }

    @Test
    void aFolderThatIsNotThereIsTold() throws IOException {
        Files.delete(jars);
        assertThatThrownBy(() -> stores.open(folder))
                .isInstanceOf(IOException.class)
                .hasMessage(jars + " is not there" + ADVICE);
    }

    @Test
    void aFolderWithoutTheStoreIsTold() throws IOException {
        writeJar("library.jar", LIBRARY);
        assertThatThrownBy(() -> stores.open(folder))
                .isInstanceOf(IOException.class)
                .hasMessage(jars + " holds no store.jar" + ADVICE);
    }

    /** The DataNode has the class; the jars must not get it from there. When it is there they are read again. */
    @Test
    void aClassThatIsMissingIsToldUntilItIsThere() throws IOException {
        writeJar("store.jar", FACTORY);
        assertThatThrownBy(() -> stores.open(folder))
                .isInstanceOf(IOException.class)
                .hasMessage(jars + " lacks a class or has the wrong one: java.lang.NoClassDefFoundError: "
                        + "io/hearth/datanode/foreign/ForeignPageStores$Library" + ADVICE);

        writeJar("library.jar", LIBRARY);
        assertThat(nameOfOpened()).startsWith("true ");
    }

    @Test
    void aJarWhoseFactoryIsMissingIsTold() throws IOException {
        writeJar(
                "store.jar",
                Map.of(
                        "META-INF/services/" + PageStoreFactory.class.getName(),
                        "an.other.Store".getBytes(StandardCharsets.UTF_8)));
        assertThatThrownBy(() -> stores.open(folder))
                .isInstanceOf(IOException.class)
                .hasMessage(jars + " lacks a class or has the wrong one: java.util.ServiceConfigurationError: "
                        + PageStoreFactory.class.getName() + ": Provider an.other.Store not found" + ADVICE);
    }
}
