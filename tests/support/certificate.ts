/** For servers of tests on this machine: no program makes one everywhere. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Of localhost, signed by itself, until 2120. */
export const tls = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg+4sttlofYefcoots
LAjuqTKFhX34YsNhx0tVvH6owbGhRANCAASF67qfhhCLmafSx607slTCJp1t5G8X
9wPcEMdFFJpREILhMkAvffiKaxXbCTT6pJ7g2EQ2gSFS6kx1E//UTnVB
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBYDCCAQegAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
c3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM
CWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABIXrup+GEIuZp9LH
rTuyVMImnW3kbxf3A9wQx0UUmlEQguEyQC99+IprFdsJNPqknuDYRDaBIVLqTHUT
/9ROdUGjSDBGMBQGA1UdEQQNMAuCCWxvY2FsaG9zdDAPBgNVHRMBAf8EBTADAQH/
MB0GA1UdDgQWBBTwnJx/fJhKWYmzShjuDPF3J0E6ljAKBggqhkjOPQQDAgNHADBE
AiARCcfNql2nJuo9evAIfDeNAzQTti2c3/lggPnqOG/O8AIgV6JcAcZ3SopShlGm
WyVxEVfDyNzdLfS68lFo6rknDYw=
-----END CERTIFICATE-----`,
}

const folder = mkdtempSync(join(tmpdir(), 'svc-certificate-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

export const files = { key: join(folder, 'key.pem'), cert: join(folder, 'cert.pem') }
for (const name of ['key', 'cert'] as const) writeFileSync(files[name], tls[name])

/** What the address of a server on localhost ends with: its name and its certificate are checked. */
export const verified = `?sslmode=verify-full&sslrootcert=${files.cert}`
