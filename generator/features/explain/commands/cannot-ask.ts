import { Refusal } from '../../../blueprint/refusal.js'

/** A question that has no answer. */
export class CannotAsk extends Refusal {}
