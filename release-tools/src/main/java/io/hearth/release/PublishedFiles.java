// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.release;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Everything that a release publishes, in one folder: the files, {@code SHA512SUMS} with a line for each, as {@code sha512sum --check}
 * reads it, and where a key is named a detached signature of each, sums included, in {@code NAME.asc}. Not thread-safe.
 */
public final class PublishedFiles {

    static final String SUMS = "SHA512SUMS";

    private static final String NO_KEY =
            "Not signed: no key is named. Whoever releases sets -Dhearth.release.key to one of gpg --list-secret-keys.";

    private final Path folder;
    private final Map<String, String> gpgEnvironment;

    /**
     * Files in this folder.
     *
     * @param gpgEnvironment what GnuPG gets beside the environment of this process, such as another {@code GNUPGHOME}
     */
    PublishedFiles(Path folder, Map<String, String> gpgEnvironment) {
        this.folder = folder;
        this.gpgEnvironment = Map.copyOf(gpgEnvironment);
    }

    /**
     * Publishes into the folder that is the first argument, signed with the key that is the second, {@code key=} and its name or nothing;
     * each of the others is the name of a file to be, {@code =}, and its path.
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        Map<String, Path> pathByName = new TreeMap<>();
        for (String file : Arrays.asList(args).subList(2, args.length)) {
            String[] parts = file.split("=", 2);
            pathByName.put(parts[0], Path.of(parts[1]));
        }
        System.out.println(
                new PublishedFiles(Path.of(args[0]), Map.of()).publish(pathByName, args[1].substring("key=".length())));
    }

    /**
     * Puts copies of these files under these names into the folder, which loses what it had, and adds sums and signatures.
     *
     * @param key the name of a secret key of GnuPG's; empty for no signature
     * @return what came of it, in one line
     * @throws IOException if a file can't be read or written, or GnuPG can't sign with this key
     */
    String publish(Map<String, Path> pathByName, String key) throws IOException, InterruptedException {
        clear();
        StringBuilder sums = new StringBuilder();
        for (Map.Entry<String, Path> file : new TreeMap<>(pathByName).entrySet()) {
            Path copy = folder.resolve(file.getKey());
            Files.copy(file.getValue(), copy, StandardCopyOption.REPLACE_EXISTING);
            sums.append(sha512(copy)).append("  ").append(file.getKey()).append('\n');
        }
        Files.writeString(folder.resolve(SUMS), sums);
        if (key.isEmpty()) {
            return NO_KEY;
        }
        List<String> names = new ArrayList<>(new TreeMap<>(pathByName).keySet());
        names.add(SUMS);
        for (String name : names) {
            sign(name, key);
        }
        return names.size() + " files are signed with the key " + key + ".";
    }

    private void clear() throws IOException {
        Files.createDirectories(folder);
        try (Stream<Path> files = Files.list(folder)) {
            for (Path old : files.toList()) {
                Files.delete(old);
            }
        }
    }

    private void sign(String name, String key) throws IOException, InterruptedException {
        ProcessBuilder gpg = new ProcessBuilder(
                        "gpg", "--batch", "--yes", "--armor", "--local-user", key, "--detach-sign", name)
                .directory(folder.toFile())
                .redirectErrorStream(true);
        gpg.environment().putAll(gpgEnvironment);
        Process process = gpg.start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (process.waitFor() != 0) {
            throw new IOException("gpg can't sign " + name + " with the key " + key + ": "
                    + said.lines().reduce((first, last) -> last).orElse("it says nothing"));
        }
    }

    private static String sha512(Path file) throws IOException {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-512").digest(Files.readAllBytes(file)));
        } catch (NoSuchAlgorithmException everyJdkHasIt) {
            throw new IllegalStateException(everyJdkHasIt);
        }
    }
}
