// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A mail server that refuses every recipient for good, as one does that does not know them. */
export class RefusingMail {
  private constructor(private readonly server: Server) {}

  static async start(): Promise<RefusingMail> {
    const server = createServer(serve).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new RefusingMail(server);
  }

  get settings() {
    const { port } = this.server.address() as AddressInfo;
    return { mail: { transport: 'smtp', from: 'atrium@example.org', smtp_host: '127.0.0.1', smtp_port: port, smtp_tls: 'none' } };
  }

  stop(): void {
    this.server.close();
  }
}

function serve(socket: Socket): void {
  socket.write('220 refusing.test\r\n');
  socket.on('error', () => socket.destroy());
  socket.on('data', (bytes) => {
    for (const line of bytes.toString('latin1').split('\r\n').filter(Boolean)) {
      socket.write(/^RCPT/i.test(line) ? '550 No such mailbox\r\n' : '250 OK\r\n');
    }
  });
}
