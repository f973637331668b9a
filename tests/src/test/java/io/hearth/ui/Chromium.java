// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.awaitility.Awaitility;

/**
 * A headless Chromium with one tab, driven by its own DevTools protocol: no driver, no library. Its profile is new and is deleted
 * with it.
 */
final class Chromium implements AutoCloseable {

    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");
    private static final List<String> FLAGS = List.of(
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--hide-scrollbars",
            "--remote-debugging-port=0");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Process process;
    private final Path profile;
    private final DevTools tab;

    private Chromium(Process process, Path profile, DevTools tab) {
        this.process = process;
        this.profile = profile;
        this.tab = tab;
    }

    /** The browser's program; empty where this machine has none. */
    static Optional<Path> program() {
        return Stream.of(System.getenv("PATH").split(":"))
                .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    static Chromium start() throws IOException {
        Path profile = Files.createTempDirectory("chromium-profile-");
        List<String> command = new ArrayList<>();
        command.add(program().orElseThrow().toString());
        command.addAll(FLAGS);
        command.add("--user-data-dir=" + profile);
        command.add("about:blank");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(profile.resolve("chromium.log").toFile())
                .start();
        try {
            Path portFile = profile.resolve("DevToolsActivePort");
            Awaitility.await("Chromium's port")
                    .atMost(PATIENCE)
                    .until(() -> Files.exists(portFile)
                            && Files.readAllLines(portFile).size() >= 2);
            return new Chromium(
                    process,
                    profile,
                    DevTools.ofFirstTab(Files.readAllLines(portFile).get(0)));
        } catch (RuntimeException | IOException failure) {
            process.destroyForcibly();
            throw failure;
        }
    }

    /** A window of this size in CSS pixels, in light or dark; a phone has touch and two device pixels for each. */
    void window(int width, int height, boolean isDark, boolean isPhone) {
        JsonObject metrics = new JsonObject();
        metrics.addProperty("width", width);
        metrics.addProperty("height", height);
        metrics.addProperty("deviceScaleFactor", isPhone ? 2 : 1);
        metrics.addProperty("mobile", isPhone);
        tab.call("Emulation.setDeviceMetricsOverride", metrics);
        JsonObject feature = new JsonObject();
        feature.addProperty("name", "prefers-color-scheme");
        feature.addProperty("value", isDark ? "dark" : "light");
        JsonArray features = new JsonArray();
        features.add(feature);
        JsonObject media = new JsonObject();
        media.add("features", features);
        tab.call("Emulation.setEmulatedMedia", media);
    }

    /** Opens this page and waits until {@code isReady}, a script, is true. */
    void open(URI page, String isReady) {
        JsonObject url = new JsonObject();
        url.addProperty("url", page.toString());
        tab.call("Page.navigate", url);
        await(isReady);
    }

    void await(String script) {
        Awaitility.await(script).atMost(PATIENCE).until(() -> run(script).equals("true"));
    }

    /** The value of this script, as text. */
    String run(String script) {
        JsonObject wish = new JsonObject();
        wish.addProperty("expression", "String(" + script + ")");
        wish.addProperty("awaitPromise", true);
        JsonObject result = tab.call("Runtime.evaluate", wish);
        JsonElement value = result.getAsJsonObject("result").get("value");
        return value == null ? result.toString() : value.getAsString();
    }

    /** What the page complained of: errors in scripts, and whatever its policy did not allow. */
    List<String> complaints() {
        return tab.complaints();
    }

    /** Every address that was asked for since the start. */
    List<String> requests() {
        return tab.requests();
    }

    /** A picture of the whole page, or of the window alone. */
    void screenshot(Path file, boolean isWhole) throws IOException {
        JsonObject wish = new JsonObject();
        wish.addProperty("format", "png");
        wish.addProperty("captureBeyondViewport", isWhole);
        if (isWhole) {
            JsonObject clip = new JsonObject();
            clip.addProperty("x", 0);
            clip.addProperty("y", 0);
            clip.addProperty("width", Double.parseDouble(run("document.documentElement.clientWidth")));
            clip.addProperty("height", Double.parseDouble(run("document.documentElement.scrollHeight")));
            clip.addProperty("scale", 1);
            wish.add("clip", clip);
        }
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.write(
                file,
                Base64.getDecoder()
                        .decode(tab.call("Page.captureScreenshot", wish)
                                .get("data")
                                .getAsString()));
    }

    @Override
    public void close() throws IOException {
        tab.close();
        // Its helpers outlive it for a moment, and write to the profile.
        List<ProcessHandle> helpers = process.descendants().toList();
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        helpers.forEach(ProcessHandle::destroyForcibly);
        helpers.forEach(helper ->
                helper.onExit().completeOnTimeout(helper, 10, TimeUnit.SECONDS).join());
        FileUtils.deleteDirectory(profile.toFile());
    }
}
