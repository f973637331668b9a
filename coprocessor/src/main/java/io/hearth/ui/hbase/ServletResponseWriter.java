package io.hearth.ui.hbase;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** Writes an answer as a servlet's response. */
final class ServletResponseWriter {

    private ServletResponseWriter() {}

    static void send(ApiResponse answer, HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (response.isCommitted()) {
            return;
        }
        response.setStatus(answer.status());
        response.setContentType(answer.contentType());
        ApiResponse.SECURITY_HEADERS.forEach(response::setHeader);
        answer.headers().forEach(response::setHeader);
        byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
        response.setContentLength(body.length);
        if (!request.getMethod().equals("HEAD")) {
            response.getOutputStream().write(body);
        }
    }
}
