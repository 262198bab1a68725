declare module 's3rver' {
  import type { RequestListener } from 'node:http'

  /** An S3 server that stores its objects in a folder. Access key and secret are both `S3RVER`. */
  export default class S3rver {
    constructor(options: {
      address: string
      port: number
      silent: boolean
      directory: string
      configureBuckets: { name: string; configs: string[] }[]
    })
    run(): Promise<unknown>
    close(): Promise<void>
    configureBuckets(): Promise<unknown>
    callback(): RequestListener
  }
}
