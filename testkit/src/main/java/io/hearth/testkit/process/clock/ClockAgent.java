// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process.clock;

import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.List;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * A Java agent: every class but the JDK's that asks for the wall clock ({@code System.currentTimeMillis}) asks {@link SteppedClock} instead. Time
 * that only goes on ({@code System.nanoTime}), and so all waiting, stays as it is, as when an operator sets a host's clock. What asks the JDK for a
 * {@code java.util.Date} or an {@code Instant} gets the machine's time. libfaketime, which would reach those too, takes 11 µs a call.
 */
public final class ClockAgent implements ClassFileTransformer {

    private static final String SYSTEM = "java/lang/System";
    private static final String NOW = "currentTimeMillis";
    private static final List<Class<?>> CLASSES = List.of(
            ClockAgent.class, RedirectingClassVisitor.class, RedirectingMethodVisitor.class, SteppedClock.class);
    private static final List<String> NAMES =
            CLASSES.stream().map(ClockAgent::nameWithSlashes).toList();
    private static final String TARGET = nameWithSlashes(SteppedClock.class);

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
        boolean isTheAgents = name != null && (NAMES.contains(name) || name.startsWith("org/objectweb/asm/"));
        return isTheJdks || isTheAgents ? null : redirected(classFile).orElse(null);
    }

    /** The class file with calls of the other clock; empty if it never asks for the time. */
    static Optional<byte[]> redirected(byte[] classFile) {
        ClassReader reader = new ClassReader(classFile);
        if (!names(reader, NOW)) {
            return Optional.empty();
        }
        ClassWriter writer = new ClassWriter(reader, 0);
        reader.accept(new RedirectingClassVisitor(writer), 0);
        return Optional.of(writer.toByteArray());
    }

    /** Whether the constant pool has this text: most classes do not, and need not be read further. */
    private static boolean names(ClassReader reader, String text) {
        char[] buffer = new char[reader.getMaxStringLength()];
        for (int index = 1; index < reader.getItemCount(); index++) {
            int offset = reader.getItem(index);
            // 12: a name and its type, JVM Specification 4.4.6.
            if (offset > 0 && reader.readByte(offset - 1) == 12 && text.equals(reader.readUTF8(offset, buffer))) {
                return true;
            }
        }
        return false;
    }

    /** Of every method, {@link Redirected}. */
    private static final class RedirectingClassVisitor extends ClassVisitor {

        RedirectingClassVisitor(ClassVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public MethodVisitor visitMethod(
                int access,
                String name,
                String descriptor,
                @Nullable String signature,
                String @Nullable [] exceptions) {
            return new RedirectingMethodVisitor(super.visitMethod(access, name, descriptor, signature, exceptions));
        }
    }

    /** A method with its calls, and its references to methods, of the other clock. */
    private static final class RedirectingMethodVisitor extends MethodVisitor {

        RedirectingMethodVisitor(MethodVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
            super.visitMethodInsn(opcode, clockOf(owner, name), name, descriptor, isInterface);
        }

        @Override
        public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
            Object[] redirected = arguments.clone();
            for (int i = 0; i < redirected.length; i++) {
                if (redirected[i] instanceof Handle handle) {
                    redirected[i] = new Handle(
                            handle.getTag(),
                            clockOf(handle.getOwner(), handle.getName()),
                            handle.getName(),
                            handle.getDesc(),
                            handle.isInterface());
                }
            }
            super.visitInvokeDynamicInsn(name, descriptor, bootstrap, redirected);
        }

        private static String clockOf(String owner, String name) {
            return owner.equals(SYSTEM) && name.equals(NOW) ? TARGET : owner;
        }
    }

    private static String nameWithSlashes(Class<?> each) {
        return each.getName().replace('.', '/');
    }

    /** Writes the agent's jar: these few classes, and where ASM is. */
    public static void writeJar(Path jar) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Premain-Class", ClockAgent.class.getName());
        manifest.getMainAttributes()
                .put(
                        Attributes.Name.CLASS_PATH,
                        ClassReader.class
                                .getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toString());
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
