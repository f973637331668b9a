// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.versions;

import io.hearth.cli.install.ClassFile;
import io.hearth.cli.install.ClassFile.Signature;
import io.hearth.cli.install.ClassFile.Use;
import io.hearth.cli.install.ClassFile.UseKind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Loads Hearth's classes anew, as if HBase or Hadoop lacked one thing that they use: a class is not found, and a field or method is asked
 * for by a name that is not there. HBase's own use of it is left alone, since the question is what Hearth does without it. A package of HBase's
 * or HDFS's is loaded here as well: Hearth's classes in it see what is kept to the package.
 */
final class MissingUseLoader extends ClassLoader {

    /** What is looked for has this at the end of its name. */
    static final String ABSENT = "_absent";

    private static final String HEARTH = "io/hearth/";

    /** What was read once, for the loaders that follow. */
    private static final Map<String, Optional<byte[]>> FILES = new ConcurrentHashMap<>();

    private final String packages;
    private final Use missing;
    private final Set<String> users;

    /**
     * @param packages what the internal names of HBase's or HDFS's classes begin with that are loaded here
     * @param users internal names of Hearth's classes that use it
     */
    MissingUseLoader(ClassLoader parent, String packages, Use missing, Set<String> users) {
        super(parent);
        this.packages = packages;
        this.missing = missing;
        this.users = users;
    }

    private boolean isLoadedHere(String internalName) {
        return internalName.startsWith(HEARTH) || internalName.startsWith(packages);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            String internalName = name.replace('.', '/');
            if (missing.kind() == UseKind.CLASS && missing.owner().equals(internalName)) {
                throw new ClassNotFoundException(name);
            }
            Class<?> known = findLoadedClass(name);
            if (known != null || !isLoadedHere(internalName)) {
                return known != null ? known : super.loadClass(name, resolve);
            }
            byte[] bytes = bytes(internalName).orElseThrow(() -> new ClassNotFoundException(name));
            byte[] changed = users.contains(internalName) && missing.kind() != UseKind.CLASS ? without(bytes) : bytes;
            return defineClass(name, changed, 0, changed.length);
        }
    }

    private Optional<byte[]> bytes(String internalName) {
        return FILES.computeIfAbsent(internalName, this::readBytes);
    }

    private Optional<byte[]> readBytes(String internalName) {
        try (InputStream in = getParent().getResourceAsStream(internalName + ".class")) {
            return in == null ? Optional.empty() : Optional.of(in.readAllBytes());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private byte[] without(byte[] bytes) {
        ClassReader reader = new ClassReader(bytes);
        ClassWriter writer = new ClassWriter(reader, 0);
        reader.accept(
                new ClassVisitor(Opcodes.ASM9, writer) {
                    private String superclass = "";

                    @Override
                    public void visit(
                            int version,
                            int access,
                            String name,
                            String signature,
                            String superclassName,
                            String[] interfaces) {
                        superclass = superclassName;
                        super.visit(version, access, name, signature, superclassName, interfaces);
                    }

                    /** What overrides a method that is not there is called by nobody. */
                    @Override
                    public MethodVisitor visitMethod(
                            int access, String name, String descriptor, String signature, String[] exceptions) {
                        boolean isOverride = (access & (Opcodes.ACC_STATIC | Opcodes.ACC_PRIVATE)) == 0
                                && isMissing(superclass, name, descriptor);
                        return new RenamedCalls(super.visitMethod(
                                access, isOverride ? name + ABSENT : name, descriptor, signature, exceptions));
                    }
                },
                0);
        return writer.toByteArray();
    }

    private boolean isMissing(String owner, String name, String descriptor) {
        return name.equals(missing.name())
                && descriptor.equals(missing.descriptor())
                && (owner.equals(missing.owner()) || isInherited(owner, new Signature(name, descriptor)));
    }

    /** Whether a class of Hearth's has the member from HBase's. */
    private boolean isInherited(String owner, Signature member) {
        String next = owner;
        while (isLoadedHere(next) && !next.equals(missing.owner())) {
            ClassFile file = file(next);
            if (file.methods().containsKey(member) || file.fields().containsKey(member)) {
                return false;
            }
            next = file.superclass().orElse("");
        }
        return next.equals(missing.owner());
    }

    private ClassFile file(String internalName) {
        try {
            return ClassFile.readMembers(
                    new ByteArrayInputStream(bytes(internalName).orElseThrow()));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private final class RenamedCalls extends MethodVisitor {

        RenamedCalls(MethodVisitor next) {
            super(Opcodes.ASM9, next);
        }

        private String name(String owner, String name, String descriptor) {
            return isMissing(owner, name, descriptor) ? name + ABSENT : name;
        }

        /** The name of a field that is looked for by reflection. */
        @Override
        public void visitLdcInsn(Object value) {
            boolean isMissing = Set.of(UseKind.FIELD, UseKind.REFLECTED_FIELD).contains(missing.kind())
                    && value.equals(missing.name());
            super.visitLdcInsn(isMissing ? value + ABSENT : value);
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
            super.visitFieldInsn(opcode, owner, name(owner, name, descriptor), descriptor);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
            super.visitMethodInsn(
                    opcode,
                    owner,
                    // No name but one may begin so.
                    name.equals("<init>") ? name : name(owner, name, descriptor),
                    descriptor,
                    isInterface);
        }

        @Override
        public void visitInvokeDynamicInsn(
                String name, String descriptor, Handle bootstrap, Object... bootstrapArguments) {
            Object[] arguments = bootstrapArguments.clone();
            for (int argument = 0; argument < arguments.length; argument++) {
                if (arguments[argument] instanceof Handle handle
                        && !handle.getName().equals("<init>")) {
                    arguments[argument] = new Handle(
                            handle.getTag(),
                            handle.getOwner(),
                            name(handle.getOwner(), handle.getName(), handle.getDesc()),
                            handle.getDesc(),
                            handle.isInterface());
                }
            }
            super.visitInvokeDynamicInsn(name, descriptor, bootstrap, arguments);
        }
    }
}
