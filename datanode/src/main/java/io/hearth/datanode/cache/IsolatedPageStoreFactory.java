// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

import java.io.Closeable;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A kind of page store whose classes are in the jars of a folder, apart from the DataNode's: they see the JDK, slf4j and this package,
 * and no class of the DataNode sees them.
 *
 * <p>A jar says by {@code META-INF/services} which of its classes is the {@link PageStoreFactory}. The jars are read at the first opening,
 * and again at each one after a failure; what was loaded once is kept. Thread-safe.
 */
public final class IsolatedPageStoreFactory implements PageStoreFactory {

    private static final Logger LOG = LoggerFactory.getLogger(IsolatedPageStoreFactory.class);

    private final Path jars;
    private final String key;
    private final String neededJar;
    private @Nullable PageStoreFactory loaded;

    /**
     * @param jars the folder
     * @param key the setting that names it, for messages
     * @param neededJar the jar with the factory, for messages
     */
    public IsolatedPageStoreFactory(Path jars, String key, String neededJar) {
        this.jars = jars;
        this.key = key;
        this.neededJar = neededJar;
    }

    @Override
    public synchronized PageStore open(Path folder) throws IOException {
        if (loaded != null) {
            return loaded.open(folder);
        }
        URLClassLoader classes = new URLClassLoader(urls(), new SharedClasses());
        try {
            PageStoreFactory fresh = find(classes).orElseThrow(() -> unusable("holds no " + neededJar, null));
            PageStore store = fresh.open(folder);
            LOG.info(
                    "Pages of the read cache are kept by {}, from {}",
                    store.getClass().getName(),
                    jars);
            loaded = fresh;
            return store;
        } catch (LinkageError | ServiceConfigurationError missing) {
            throw unusable("lacks a class or has the wrong one: " + missing, missing);
        } finally {
            if (loaded == null) {
                closeQuietly(classes);
            }
        }
    }

    private URL[] urls() throws IOException {
        if (!Files.isDirectory(jars)) {
            throw unusable("is not there", null);
        }
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(jars, "*.jar")) {
            entries.forEach(files::add);
        } catch (DirectoryIteratorException failure) {
            throw failure.getCause();
        }
        files.sort(null);
        URL[] urls = new URL[files.size()];
        for (int number = 0; number < urls.length; number++) {
            urls[number] = url(files.get(number));
        }
        return urls;
    }

    private static URL url(Path file) throws MalformedURLException {
        return file.toUri().toURL();
    }

    private static Optional<PageStoreFactory> find(ClassLoader classes) {
        return ServiceLoader.load(PageStoreFactory.class, classes).findFirst();
    }

    private IOException unusable(String what, @Nullable Throwable cause) {
        return new IOException(
                jars + " " + what + ". Put " + neededJar + " and the jars that it needs there, or set " + key
                        + " to none: the read cache then keeps its pages itself.",
                cause);
    }

    private static void closeQuietly(Closeable classes) {
        try {
            classes.close();
        } catch (IOException unimportant) {
            LOG.debug("The jars of a page store could not be closed", unimportant);
        }
    }

    /** What the jars see: the JDK and, of the DataNode's classes, slf4j and this package. */
    private static final class SharedClasses extends ClassLoader {

        private static final List<String> SHARED = List.of("org.slf4j.", PageStore.class.getPackageName() + ".");

        SharedClasses() {
            super(ClassLoader.getPlatformClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (SHARED.stream().noneMatch(name::startsWith)) {
                throw new ClassNotFoundException(name);
            }
            return Class.forName(name, false, PageStore.class.getClassLoader());
        }
    }
}
