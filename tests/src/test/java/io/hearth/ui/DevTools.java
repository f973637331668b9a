// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** One tab of a browser by the DevTools protocol: calls with answers, and what it tells by itself. */
final class DevTools implements WebSocket.Listener, AutoCloseable {

    private static final long PATIENCE_SECONDS = 60;

    private final Map<Integer, CompletableFuture<JsonObject>> answers = new ConcurrentHashMap<>();
    private final List<String> complaints = new CopyOnWriteArrayList<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final AtomicInteger number = new AtomicInteger();
    private final StringBuilder part = new StringBuilder();
    private WebSocket socket;

    private DevTools() {}

    static DevTools ofFirstTab(String port) throws IOException {
        HttpClient client = HttpClient.newHttpClient();
        try {
            String list = client.send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json/list"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
            JsonObject tab = JsonParser.parseString(list).getAsJsonArray().asList().stream()
                    .map(one -> one.getAsJsonObject())
                    .filter(one -> one.get("type").getAsString().equals("page"))
                    .findFirst()
                    .orElseThrow();
            DevTools tools = new DevTools();
            tools.socket = client.newWebSocketBuilder()
                    .buildAsync(URI.create(tab.get("webSocketDebuggerUrl").getAsString()), tools)
                    .join();
            for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
                tools.call(domain + ".enable", new JsonObject());
            }
            return tools;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IOException(stopped);
        }
    }

    JsonObject call(String method, JsonObject parameters) {
        int id = number.incrementAndGet();
        CompletableFuture<JsonObject> answer = new CompletableFuture<>();
        answers.put(id, answer);
        JsonObject message = new JsonObject();
        message.addProperty("id", id);
        message.addProperty("method", method);
        message.add("params", parameters);
        socket.sendText(message.toString(), true).join();
        try {
            JsonObject got = answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (got.has("error")) {
                throw new IllegalStateException(method + ": " + got.get("error"));
            }
            return got.getAsJsonObject("result");
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(stopped);
        } catch (ExecutionException | TimeoutException failure) {
            throw new IllegalStateException(method + " was not answered", failure);
        }
    }

    List<String> complaints() {
        return List.copyOf(complaints);
    }

    List<String> requests() {
        return List.copyOf(requests);
    }

    @Override
    public CompletionStage<?> onText(WebSocket webSocket, CharSequence data, boolean last) {
        part.append(data);
        if (last) {
            take(JsonParser.parseString(part.toString()).getAsJsonObject());
            part.setLength(0);
        }
        webSocket.request(1);
        return CompletableFuture.completedFuture(null);
    }

    private void take(JsonObject message) {
        if (message.has("id")) {
            CompletableFuture<JsonObject> waiting =
                    answers.remove(message.get("id").getAsInt());
            if (waiting != null) {
                waiting.complete(message);
            }
            return;
        }
        JsonObject told = message.getAsJsonObject("params");
        switch (message.get("method").getAsString()) {
            case "Runtime.exceptionThrown" ->
                complaints.add(told.get("exceptionDetails").toString());
            case "Log.entryAdded" -> {
                JsonObject entry = told.getAsJsonObject("entry");
                if (entry.get("level").getAsString().equals("error")) {
                    complaints.add(entry.get("text").getAsString());
                }
            }
            case "Runtime.consoleAPICalled" -> {
                JsonArray said = told.getAsJsonArray("args");
                if (told.get("type").getAsString().equals("error")) {
                    complaints.add(said.toString());
                }
            }
            case "Network.requestWillBeSent" ->
                requests.add(told.getAsJsonObject("request").get("url").getAsString());
            default -> {
                // The rest is not listened to.
            }
        }
    }

    @Override
    public void close() {
        socket.abort();
    }
}
