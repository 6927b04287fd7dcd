package dev.ferry.http.internal.server;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoOps;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollIoOps;

/**
 * Keeps each socket in epoll. Netty 4.2.17 takes one out of which nothing is awaited, as that of a
 * client that has ended its side and waits for its response, and then fails to await anything of it
 * again: the response would be cut. Here, errors are awaited then, which epoll reports once.
 *
 * @param epoll does all else
 */
record KeptInEpoll(IoHandler epoll) implements IoHandler {
  static IoHandlerFactory newFactory() {
    IoHandlerFactory epoll = EpollIoHandler.newFactory();
    return executor -> new KeptInEpoll(epoll.newHandler(executor));
  }

  @Override
  public void initialize() {
    epoll.initialize();
  }

  @Override
  public int run(IoHandlerContext context) {
    return epoll.run(context);
  }

  @Override
  public void prepareToDestroy() {
    epoll.prepareToDestroy();
  }

  @Override
  public void destroy() {
    epoll.destroy();
  }

  @Override
  public IoRegistration register(IoHandle handle) throws Exception {
    return new Registration(epoll.register(handle));
  }

  @Override
  public void wakeup() {
    epoll.wakeup();
  }

  @Override
  public boolean isCompatible(Class<? extends IoHandle> handleType) {
    return epoll.isCompatible(handleType);
  }

  private record Registration(IoRegistration registration) implements IoRegistration {
    @Override
    public <T> T attachment() {
      return registration.attachment();
    }

    @Override
    public long submit(IoOps awaited) {
      return registration.submit(EpollIoOps.NONE.equals(awaited) ? EpollIoOps.EPOLLET : awaited);
    }

    @Override
    public boolean isValid() {
      return registration.isValid();
    }

    @Override
    public boolean cancel() {
      return registration.cancel();
    }
  }
}
