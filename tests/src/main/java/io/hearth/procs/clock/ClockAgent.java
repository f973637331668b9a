package io.hearth.procs.clock;

import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/**
 * A Java agent: every class but the JDK's that asks for the wall clock ({@code System.currentTimeMillis}) asks {@link SteppedClock} instead. Time
 * that only goes on ({@code System.nanoTime}), and so all waiting, stays as it is, as when an operator sets a host's clock. What asks the JDK for a
 * {@code java.util.Date} or an {@code Instant} gets the machine's time.
 */
public final class ClockAgent implements ClassFileTransformer {

    private static final List<Class<?>> CLASSES =
            List.of(ClockAgent.class, RedirectedCalls.class, RedirectedCalls.Pool.class, SteppedClock.class);
    private static final List<String> NAMES =
            CLASSES.stream().map(ClockAgent::nameWithSlashes).toList();
    private static final String TARGET = nameWithSlashes(SteppedClock.class);

    private final RedirectedCalls calls = new RedirectedCalls("java/lang/System", "currentTimeMillis", "()J", TARGET);

    private ClockAgent() {}

    /** Called by the JVM before main, with the file of the clock. */
    public static void premain(String file, Instrumentation instrumentation) throws IOException {
        SteppedClock.follow(Path.of(file));
        instrumentation.addTransformer(new ClockAgent());
    }

    @Override
    public byte @Nullable [] transform(
            @Nullable ClassLoader loader,
            @Nullable String name,
            @Nullable Class<?> redefined,
            @Nullable ProtectionDomain domain,
            byte[] classFile) {
        boolean isTheJdks = loader == null || loader == ClassLoader.getPlatformClassLoader();
        boolean isOurs = name != null && NAMES.contains(name);
        return isTheJdks || isOurs ? null : calls.in(classFile).orElse(null);
    }

    private static String nameWithSlashes(Class<?> each) {
        return each.getName().replace('.', '/');
    }

    /** Writes the agent's jar: these few classes of this one's package. */
    public static void writeJar(Path jar) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Premain-Class", ClockAgent.class.getName());
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
            for (Class<?> each : CLASSES) {
                String entry = nameWithSlashes(each) + ".class";
                out.putNextEntry(new JarEntry(entry));
                try (InputStream in = ClockAgent.class.getResourceAsStream("/" + entry)) {
                    if (in == null) {
                        throw new IOException(entry + " is not on the class path");
                    }
                    in.transferTo(out);
                }
            }
        }
    }
}
