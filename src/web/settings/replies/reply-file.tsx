import { FileText, Mic, Paperclip, X } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { maxUploadBytes, pickerExtensions } from '#shared/messages/media.ts'
import type { QuickResponseFile } from '#shared/settings/settings.ts'
import { fileTexts } from '#shared/text/text.ts'
import { AudioPlayer, type Recorded, VoiceRecorder } from '#web/media/media.tsx'
import { FileName } from '#web/ui/file-name.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { Switch } from '#web/ui/fields/switch.tsx'
import { toast } from '#web/ui/states/toast.ts'

/** The file or voice of a quick reply: chosen, recorded, heard, removed. */
export function ReplyFile({
  file,
  url,
  name,
  isUploading,
  upload,
  onChange,
}: {
  file: QuickResponseFile | undefined
  /** Of the file, where it is stored. */
  url: string | undefined
  /** Whose it is: 'da resposta 1'. */
  name: string
  isUploading: boolean
  upload: (file: File) => Promise<QuickResponseFile>
  onChange: (file: QuickResponseFile | undefined) => void
}) {
  const picker = useRef<HTMLInputElement>(null)
  const recordButton = useRef<HTMLButtonElement>(null)
  const switchId = useId()
  const [isRecording, setRecording] = useState(false)
  /** What was chosen or recorded here, and how long it is. */
  const [local, setLocal] = useState<{ name: string; url: string; seconds: number | undefined }>()
  /** The length of a voice that is not sent as one for now. */
  const [voice, setVoice] = useState<{ name: string; seconds: number }>()
  const here = local?.name === file?.name ? local : undefined

  const take = async (chosen: File, localUrl: string, seconds?: number, isVoice = false) => {
    const fail = (description: string) => toast({ tone: 'error', title: 'Erro no upload', description })
    if (chosen.size > maxUploadBytes) return fail(fileTexts['media.too_large'])
    try {
      const stored = await upload(chosen)
      setLocal({ name: stored.name, url: localUrl, seconds })
      onChange({ ...stored, ...(isVoice && { voiceSeconds: seconds }) })
    } catch (error) {
      fail((error as Error).message)
    }
  }
  const choose = async (chosen: File | undefined) => {
    if (!chosen) return
    const localUrl = URL.createObjectURL(chosen)
    await take(chosen, localUrl, await secondsOf(chosen, localUrl))
  }
  const keep = ({ file: recorded, url: localUrl, seconds }: Recorded) => {
    setRecording(false)
    void take(recorded, localUrl, seconds, true)
  }

  const isVoice = file?.voiceSeconds !== undefined
  const known = voice?.name === file?.name ? voice : undefined
  const seconds = file?.voiceSeconds ?? here?.seconds ?? known?.seconds
  const soundUrl = here?.url ?? url
  return (
    <div className="grid gap-2">
      <input
        ref={picker}
        type="file"
        hidden
        accept={pickerExtensions}
        aria-label={`Arquivo ${name}`}
        onChange={({ target }) => {
          void choose(target.files?.[0])
          target.value = ''
        }}
      />
      {file && (
        <div className="flex min-h-8 items-center gap-2">
          {isVoice ? (
            <div className="min-w-0 flex-1">
              {soundUrl === undefined ? (
                <span className="flex items-center gap-2 text-sm">
                  <Mic size={16} aria-hidden className="text-ink-3" /> Mensagem de voz
                </span>
              ) : (
                <AudioPlayer key={soundUrl} url={soundUrl} seconds={seconds} label={`Voz ${name}`} />
              )}
            </div>
          ) : (
            <>
              <FileText size={16} aria-hidden className="shrink-0 text-ink-3" />
              <FileName name={file.fileName} className="text-sm" />
              <span className="shrink-0 text-xs text-ink-3 tabular-nums">
                {(file.sizeBytes / 1024).toLocaleString('pt-BR', { maximumFractionDigits: 0 })} KB
              </span>
            </>
          )}
          <IconButton
            icon={X}
            size="sm"
            label={isVoice ? `Tirar a voz ${name}` : `Tirar o arquivo ${name}`}
            onClick={() => onChange(undefined)}
          />
        </div>
      )}
      {file && seconds !== undefined && isSound(file) && (
        <span className="flex items-center gap-2 text-sm">
          <Switch
            id={switchId}
            checked={isVoice}
            onCheckedChange={(next) => {
              const { voiceSeconds: before, ...rest } = file
              if (before !== undefined) setVoice({ name: file.name, seconds: before })
              onChange({ ...rest, ...(next && { voiceSeconds: seconds }) })
            }}
          />
          <label htmlFor={switchId}>Enviar como mensagem de voz</label>
        </span>
      )}
      {isRecording && (
        <VoiceRecorder
          field={recordButton}
          sendLabel="Usar gravação"
          onBegin={() => undefined}
          onSend={keep}
          onClose={() => setRecording(false)}
        />
      )}
      {!file && !isRecording && (
        <div className="flex flex-wrap items-center gap-1">
          <Button
            size="sm"
            variant="ghost"
            icon={Paperclip}
            isBusy={isUploading}
            busyLabel="Enviando..."
            onClick={() => picker.current?.click()}
          >
            Anexar arquivo
          </Button>
          <Button
            ref={recordButton}
            size="sm"
            variant="ghost"
            icon={Mic}
            disabled={isUploading}
            onClick={() => setRecording(true)}
          >
            Gravar voz
          </Button>
        </div>
      )}
    </div>
  )
}

/** Some recorders call sound in the container of a film a film. */
const isSound = ({ mimeType }: QuickResponseFile) =>
  mimeType.startsWith('audio/') || mimeType === 'video/webm'

/** undefined for what is no sound, or of unknown length. */
async function secondsOf(file: File, url: string): Promise<number | undefined> {
  if (!file.type.startsWith('audio/')) return undefined
  return new Promise((resolve) => {
    const sound = new Audio()
    const done = () => resolve(Number.isFinite(sound.duration) ? Math.round(sound.duration) : undefined)
    sound.addEventListener('loadedmetadata', done)
    sound.addEventListener('error', done)
    sound.preload = 'metadata'
    sound.src = url
  })
}
