package dev.ferry.suites.rival.jetty;

import dev.ferry.lab.suite.RowServer;
import dev.ferry.lab.suite.ServerHost;
import dev.ferry.suites.rival.FerryRoutes;
import dev.ferry.suites.rival.PartFile;
import java.io.IOException;
import java.nio.file.Path;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.content.HttpContent;
import org.eclipse.jetty.http.content.ResourceHttpContentFactory;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.ContextHandler;
import org.eclipse.jetty.server.handler.ResourceHandler;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.component.LifeCycle;

/**
 * Jetty's own service of files over a folder, on the loopback in plain text, at its defaults but
 * for its cache: a cached file would not be read. It takes uploads by a blocking stream, for which
 * Jetty has no service, and does not compress.
 */
public final class JettyFileServer {
  private JettyFileServer() {}

  /**
   * Starts it on a free port.
   *
   * @param root the folder that it serves
   * @throws IOException if it does not start
   */
  public static RowServer start(Path root) throws IOException {
    Server server = new Server();
    ServerConnector connector = new ServerConnector(server);
    connector.setHost(ServerHost.name());
    server.addConnector(connector);
    Files files = new Files(root.toAbsolutePath());
    files.setBaseResourceAsString(files.root.toString());
    server.setHandler(
        new ContextHandler(files, FerryRoutes.FILES.substring(0, FerryRoutes.FILES.length() - 1)));
    try {
      server.start();
    } catch (Exception e) {
      LifeCycle.stop(server);
      throw new IOException("Jetty does not start: " + e.getMessage(), e);
    }
    return RowServer.of(connector.getLocalPort(), server::stop);
  }

  private static final class Files extends ResourceHandler {
    private final Path root;

    Files(Path root) {
      this.root = root;
    }

    /** Blocking, because otherwise an upload would wait for the thread that has to read it. */
    @Override
    public InvocationType getInvocationType() {
      return InvocationType.BLOCKING;
    }

    @Override
    protected HttpContent.Factory newHttpContentFactory(ByteBufferPool.Sized buffers) {
      return new ResourceHttpContentFactory(getBaseResource(), getMimeTypes(), buffers);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
      if (!request.getMethod().equals("PUT")) {
        return super.handle(request, response, callback);
      }
      Path file = root.resolve(FerryRoutes.storePath(request.getHttpURI().getPath()).value());
      PartFile.copy(Content.Source.asInputStream(request), file);
      response.setStatus(HttpStatus.CREATED_201);
      response.write(true, null, callback);
      return true;
    }
  }
}
