// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.queue;

import java.io.IOException;
import java.io.InputStream;
import java.util.HashSet;
import java.util.Set;
import java.util.function.IntConsumer;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Counts the work of Hearth's own classes without a clock: methods entered, and jumps back, which are the turns of loops. It loads the
 * classes anew, each with a counter in it. A collection of the JDK that goes through its elements enters a lambda or {@code equals} for
 * each, which counts too. The same code does the same work on any machine. For one thread at a time.
 */
public final class WorkCounter extends ClassLoader {

    private static final String OWN = "io.hearth.";

    private static long done;

    private WorkCounter() {
        super(WorkCounter.class.getClassLoader());
    }

    /** The work of a class that can be made without arguments, asked for this size. */
    static long of(Class<? extends IntConsumer> work, int size) throws ReflectiveOperationException {
        var constructor = new WorkCounter()
                .loadClass(work.getName())
                .asSubclass(IntConsumer.class)
                .getDeclaredConstructor();
        constructor.setAccessible(true);
        IntConsumer counted = constructor.newInstance();
        done = 0;
        counted.accept(size);
        return done;
    }

    /** Called by the classes that are counted. */
    public static void count() {
        done++;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(OWN) || name.equals(WorkCounter.class.getName())) {
            return super.loadClass(name, resolve);
        }
        Class<?> loaded = findLoadedClass(name);
        return loaded == null ? defineCounted(name) : loaded;
    }

    private Class<?> defineCounted(String name) throws ClassNotFoundException {
        try (InputStream classFile = getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (classFile == null) {
                throw new ClassNotFoundException(name);
            }
            ClassReader reader = new ClassReader(classFile.readAllBytes());
            ClassWriter counted = new ClassWriter(reader, 0);
            reader.accept(new CountedClass(counted), 0);
            byte[] bytes = counted.toByteArray();
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    private static final class CountedClass extends ClassVisitor {

        CountedClass(ClassVisitor to) {
            super(Opcodes.ASM9, to);
        }

        @Override
        public MethodVisitor visitMethod(int access, String name, String type, String signature, String[] thrown) {
            return new CountedMethod(super.visitMethod(access, name, type, signature, thrown));
        }
    }

    private static final class CountedMethod extends MethodVisitor {

        private final Set<Label> passed = new HashSet<>();

        CountedMethod(MethodVisitor to) {
            super(Opcodes.ASM9, to);
        }

        @Override
        public void visitCode() {
            super.visitCode();
            visitCount();
        }

        @Override
        public void visitLabel(Label label) {
            passed.add(label);
            super.visitLabel(label);
        }

        @Override
        public void visitJumpInsn(int opcode, Label to) {
            if (passed.contains(to)) {
                visitCount();
            }
            super.visitJumpInsn(opcode, to);
        }

        private void visitCount() {
            super.visitMethodInsn(
                    Opcodes.INVOKESTATIC, WorkCounter.class.getName().replace('.', '/'), "count", "()V", false);
        }
    }
}
